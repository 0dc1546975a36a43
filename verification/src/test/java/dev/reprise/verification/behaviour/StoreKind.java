package dev.reprise.verification.behaviour;

import dev.reprise.engine.Reprise;
import dev.reprise.engine.store.MemoryStore;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.StoreProvider;
import java.nio.file.Path;
import java.util.function.Supplier;

/** The stores that an engine can be on. */
public enum StoreKind {
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
      var url = "jdbc:sqlite:" + folder.resolve("world.db");
      return () -> Reprise.open(url, new StoreProvider.Options(true, false));
    }
  };

  /** Opens the same store again and again, each time for the next engine. */
  public abstract Supplier<Store> in(Path folder);
}
