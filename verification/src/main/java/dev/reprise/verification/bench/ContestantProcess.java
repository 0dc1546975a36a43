package dev.reprise.verification.bench;

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
}
