package dev.reprise.verification.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Ours and a peer, workload by workload, on the same server: ours, theirs twice, and ours again, so
 * that a machine that becomes slower or faster meanwhile does so for both. Each time is a fresh
 * process with the same options, so that neither is better off for what ran before.
 *
 * @param peer its name
 * @param classPath of the peer
 * @param sizes of the workloads, for both the same
 * @param server on which both make their databases
 * @param folder for files
 */
record Contest(String peer, String classPath, Sizes sizes, PostgresDatabases server, Path folder) {

  /** The class path of a peer that was built in that folder of peers. */
  static String classPath(Path peers, String peer) throws IOException {
    var built = peers.resolve(peer).resolve("target");
    var others = Files.readString(built.resolve("classpath.txt")).strip();
    return built.resolve("classes") + System.getProperty("path.separator") + others;
  }

  void measure(Workload workload, Report report, Map<String, String> facts)
      throws IOException, InterruptedException {
    var ours = ours(workload);
    var theirs = theirs(workload).with(theirs(workload));
    ours = ours.with(ours(workload));
    facts.put("peer", theirs.engine());
    report.addAll(workload, ours, theirs);
  }

  private Outcome ours(Workload workload) throws IOException, InterruptedException {
    return run(Ours.NAME, System.getProperty("java.class.path"), workload);
  }

  private Outcome theirs(Workload workload) throws IOException, InterruptedException {
    return run(peer, classPath, workload);
  }

  private Outcome run(String contestant, String path, Workload workload)
      throws IOException, InterruptedException {
    var arguments =
        new ArrayList<>(
            List.of(
                contestant,
                server.url(),
                Boolean.toString(server.isOurs()),
                folder.toString(),
                workload.id()));
    arguments.addAll(sizes.arguments());
    var process = JavaProcess.of(options(), path, ContestantProcess.class, arguments).start();
    try (var words = process.inputReader()) {
      var lines = words.lines().toList();
      int exit = process.waitFor();
      if (exit == 0 && !lines.isEmpty()) return Outcome.parse(lines.getLast());
      return failed(contestant, workload, exit);
    } finally {
      process.destroy();
    }
  }

  /** The other one and the other workloads are still worth something. */
  private static Outcome failed(String contestant, Workload workload, int exit) {
    var text = "WRONG: the process of %s ended with exit code %d".formatted(contestant, exit);
    var note = new Report.Note(workload.id(), text);
    return new Outcome(contestant, List.of(), List.of(note), false);
  }

  /** Those of this process, without what concerns it alone. */
  private static List<String> options() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> !option.startsWith("-Dreprise."))
        .toList();
  }
}
