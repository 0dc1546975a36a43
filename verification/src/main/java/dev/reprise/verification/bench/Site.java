package dev.reprise.verification.bench;

import dev.reprise.engine.Reprise;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where engines are set up.
 *
 * @param kind the store they get
 * @param folder for the files of the stores, each in a folder of its own
 */
record Site(StoreKind kind, Path folder) {
  private static final String FILE = "bench.db";

  /** An engine on an empty store. */
  TestBed open() throws IOException {
    var steps = new NoOps();
    var own = Files.createTempDirectory(folder, kind.toString());
    var file = own.resolve(FILE);
    var engine =
        reprise(file)
            .workflow(new Workflows.Sequence(steps))
            .workflow(new Workflows.Parallel(steps))
            .start();
    return new TestBed(engine, steps, file);
  }

  /** What opens an engine on a store in that file, if the store has files. */
  Reprise reprise(Path file) {
    return switch (kind) {
      case SQLITE -> Reprise.open("jdbc:sqlite:" + file);
      case MEMORY -> Reprise.inMemory();
    };
  }
}
