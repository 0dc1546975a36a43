package dev.reprise.examples.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Runs an order, kills its process in the middle, and watches another process finish it. */
public final class Demo {
  /** Where {@code ./reprise list} looks if nothing else is said; set by the launcher. */
  private static final String DEFAULT_DATABASE =
      System.getProperty("reprise.demo.database", "target/demo/orders.db");

  private static final String USAGE =
      """
      Usage: reprise demo [--db=FILE]
      Kills a workflow's process and watches the workflow go on.
            --db=FILE   The SQLite file to create; target/demo/orders.db if not given.\
      """;

  private final Screen screen = new Screen(System.out);
  private final DemoFiles files;

  private Demo(DemoFiles files) {
    this.files = files;
  }

  public static void main(String[] args) throws InterruptedException {
    System.exit(
        switch (List.of(args)) {
          case List<String> none when none.isEmpty() -> run(DEFAULT_DATABASE);
          case List<String> db when db.size() == 2 && db.getFirst().equals("--db") ->
              run(db.getLast());
          case List<String> db when db.size() == 1 && db.getFirst().startsWith("--db=") ->
              run(db.getFirst().substring("--db=".length()));
          case List<String> other -> usage(other);
        });
  }

  private static int usage(List<String> args) {
    boolean asked = args.equals(List.of("--help")) || args.equals(List.of("-h"));
    (asked ? System.out : System.err).println(USAGE);
    return asked ? 0 : 2;
  }

  private static int run(String database) throws InterruptedException {
    var files = new DemoFiles(Path.of(database));
    try {
      if (files.startOver()) return new Demo(files).tell();
      System.err.println(
          "reprise: %s is not from the demo: name another file with --db".formatted(database));
    } catch (IOException e) {
      System.err.println("reprise: cannot run the demo on %s: %s".formatted(database, e));
    }
    return 1;
  }

  private int tell() throws IOException, InterruptedException {
    screen.title(
        "An order: reserve, charge, wait for an approval, pack three things at once, ship");
    screen.say("Its process is killed while it packs. Another process finishes the order.");

    screen.title("First life");
    int killed = live(1);
    if (killed != Life.KILLED) return failed("the first process ended with exit code " + killed);
    screen.say("");
    screen.say(
        "The process is gone, exit code %d. What it recorded is on the disk.".formatted(killed));

    screen.title("Second life: a new process opens the same file, and nobody starts the order");
    int ended = live(2);
    if (ended != 0) return failed("the second process ended with exit code " + ended);

    screen.title("What is recorded: " + command("history " + Life.ORDER));
    int shown = showHistory();
    if (shown != 0) return failed("reading the history ended with exit code " + shown);

    return conclude(new LifeTable(files.log().read()));
  }

  private int live(int number) throws IOException, InterruptedException {
    return ChildJvm.run(Life.class.getName(), String.valueOf(number), files.database().toString());
  }

  /** By the command itself, as a user would; only its name is known here, and no code of it. */
  private int showHistory() throws IOException, InterruptedException {
    return ChildJvm.run(
        "dev.reprise.server.Main", "history", Life.ORDER, "--db", files.database().toString());
  }

  private int conclude(LifeTable lives) {
    screen.title("What ran, counted from a log that the activities themselves wrote");
    lives.lines().forEach(screen::say);
    screen.say("");
    if (!lives.ranAgain().isEmpty()) {
      return failed("these had completed and ran again: " + lives.ranAgain());
    }
    screen.say(
        "%d activities completed, and none of them ran again after that."
            .formatted(lives.completed().size()));
    screen.say(
        "%s was cut off by the kill, so it ran again: activities happen at least once."
            .formatted(String.join(", ", lives.cutOff())));

    screen.title("Look around");
    screen.say(command("list --db " + files.shortName()));
    screen.say(command("history " + Life.ORDER + " --db " + files.shortName()));
    screen.say("");
    return 0;
  }

  private static int failed(String what) {
    System.err.println("reprise: the demo did not go as it should: " + what);
    return 1;
  }

  private static String command(String arguments) {
    return System.getProperty("reprise.command", "./reprise") + " " + arguments;
  }
}
