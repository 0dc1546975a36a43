package dev.reprise.jdbc;

import dev.reprise.RepriseException;
import dev.reprise.engine.store.StoreProvider.Options;
import dev.reprise.testkit.contract.TestNode;
import java.io.IOException;
import java.nio.file.Path;

/** Joins a store, says what came of it, and stays until its input ends. */
final class JoiningProcess {
  private JoiningProcess() {}

  public static void main(String... arguments) throws IOException {
    try (var store = SqliteStore.open(Path.of(arguments[0]), new Options(true, false))) {
      TestNode.join(store);
      System.out.println("joined");
      System.in.read();
    } catch (RepriseException refused) {
      System.out.println(refused.getMessage());
    }
  }
}
