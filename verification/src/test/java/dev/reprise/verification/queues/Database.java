package dev.reprise.verification.queues;

import dev.reprise.engine.Reprise;
import dev.reprise.engine.store.MemoryStore;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.StoreProvider;
import dev.reprise.testpostgres.PostgresServer;
import java.nio.file.Path;
import java.util.function.Supplier;

/** The databases that queues can be in. */
public enum Database {
  MEMORY {
    @Override
    public Supplier<Store> in(Path folder) {
      var store = new MemoryStore();
      return () -> store;
    }
  },
  SQLITE {
    @Override
    public Supplier<Store> in(Path folder) {
      return () -> open("jdbc:sqlite:" + folder.resolve("queues.db"));
    }
  },
  POSTGRES {
    @Override
    public Supplier<Store> in(Path folder) {
      var url = PostgresServer.shared().createDatabase();
      return () -> open(url);
    }
  };

  /** Opens the same database again and again, each time for the next engine. */
  public abstract Supplier<Store> in(Path folder);

  private static Store open(String url) {
    return Reprise.open(url, new StoreProvider.Options(true, false));
  }
}
