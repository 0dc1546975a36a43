package dev.reprise.server;

import dev.reprise.WorkflowFailed;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import java.nio.file.Path;

/** Makes databases the way users do: with an engine. */
final class Databases {
  private Databases() {}

  /** One with a workflow that completed, and after it one that failed. */
  static Path withTwoGreetings(Path folder) {
    var file = folder.resolve("greetings.db");
    try (var engine = engine(file)) {
      engine.start(Greeting.class, "greet-ada", "Ada").result();
      fail(engine);
    }
    return file;
  }

  private static void fail(Engine engine) {
    try {
      engine.start(Greeting.class, "greet-nobody", "").result();
    } catch (WorkflowFailed expected) {
      return;
    }
    throw new AssertionError("it should have failed");
  }

  /** One without any. */
  static Path empty(Path folder) {
    var file = folder.resolve("empty.db");
    engine(file).close();
    return file;
  }

  static Engine engine(Path file) {
    return Reprise.open("jdbc:sqlite:" + file).workflow(new Greeting()).start();
  }
}
