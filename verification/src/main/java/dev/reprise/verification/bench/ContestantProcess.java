package dev.reprise.verification.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The process of a {@link Contest} in which one contestant has one workload. Prints an {@link
 * Outcome}.
 *
 * <p>Arguments: contestant, URL of the server, whether that is ours alone, folder, workload, sizes.
 */
final class ContestantProcess {
  private ContestantProcess() {}

  public static void main(String[] args) throws Exception {
    Thread.ofPlatform().daemon().start(ContestantProcess::endWithTheOther);
    var contestant = Contestants.named(args[0]);
    var sizes = Sizes.parse(List.of(args).subList(5, args.length));
    var workload = sizes.workload(args[4]).orElseThrow();
    var report = new Report(System.err);
    try (var server = PostgresDatabases.of(args[1], Boolean.parseBoolean(args[2]))) {
      var site = new Site(StoreKind.POSTGRES, Path.of(args[3]), server, contestant);
      workload.measure(site, report);
    }
    for (var remark : contestant.remarks(workload.id())) report.note(workload, remark);
    var outcome =
        new Outcome(contestant.version(), report.results(), report.notes(), report.isSound());
    System.out.println(outcome.json());
    System.exit(0); // whatever threads a peer has left
  }

  /** Nobody would read what comes of it if the process that started this one is gone. */
  private static void endWithTheOther() {
    try {
      while (System.in.read() >= 0) {}
    } catch (IOException e) {
      System.err.println("no input: " + e.getMessage());
    }
    Runtime.getRuntime().halt(1);
  }
}
