package dev.reprise.verification.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** The command {@code ./reprise bench}. */
@Command(
    name = "reprise bench",
    sortOptions = false,
    description = "Measures the engine on this machine.",
    footer = {
      "",
      "W1      closed loop of clients, each with one workflow of 10 steps at a time",
      "        (on a database beside the same rows by JDBC: by a bare group commit, and in"
          + " batches)",
      "W2      one workflow at a time, on a database beside bare JDBC commits",
      "W3      1,000 parallel steps in one workflow",
      "W4      10,000 workflows that sleep for 5 s: how late they wake up",
      "W5      1,000 workflows that wait, and a signal for each",
      "W6      1,000 to 10,000 sequential steps in one workflow",
      "W7      kill -9 of a process with 1,000 workflows, and another process at once",
      "queued  activities on a queue with one worker of 64: joined, in a closed loop, one at a"
          + " time",
      "parked  memory of 100,000 runs that wait, in a process with a heap of 1 GB",
      "",
      "only if asked for, for they take minutes:",
      "footprint",
      "        of an application with an engine: cold start, then idle; with and without AOT cache",
      "scale   W1 with 1 to 100,000 workflows in flight",
      "engines W1 by one engine process, and by two on one database (postgres)",
      "long    10 to 100,000 sequential steps in one workflow",
      "closed  steps in a database with 1,000 to 1,000,000 closed runs",
      "replay  runs that wait behind a history of 10,000 events, and come back"
    })
final class Bench implements Callable<Integer> {
  private static final String ALL = "all";
  private static final List<String> PEERS = List.of("dbos");
  private static final String PEERS_FOLDER = "reprise.peers"; // set by the launcher
  private static final Pattern HEAP = Pattern.compile("[1-9][0-9]*[mMgG]");
  private static final double DISTURBED = 0.25; // cores; below it is the system's own work

  @Option(
      names = "--store",
      paramLabel = "NAME",
      split = ",",
      description =
          "sqlite, memory, postgres or all; sqlite,memory by default, postgres with --peer.")
  private @Nullable List<String> store;

  @Option(
      names = "--peer",
      paramLabel = "NAME",
      description =
          "dbos: the same on another engine in the same run, on postgres, and the ratios.")
  private @Nullable String peer;

  @Option(
      names = "--url",
      paramLabel = "URL",
      description =
          "jdbc:postgresql://..., a server to make databases on; else one is started here.")
  private @Nullable String url;

  @Option(
      names = "--only",
      paramLabel = "ID",
      split = ",",
      description = "Which workloads, such as W1,W2; W1 to W7, queued and parked by default.")
  private List<String> only =
      Stream.concat(Sizes.CONTESTED.stream(), Stream.of(QueuedWork.ID, ParkedRuns.ID)).toList();

  @Option(
      names = "--clients",
      paramLabel = "N",
      split = ",",
      description = "How many workflows W1 has in flight; 1,10,100,1000 by default.")
  private List<Integer> clients = List.of(1, 10, 100, 1_000);

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "8",
      description = "How long each case of W1, scale and engines is measured; 8 by default.")
  private int seconds;

  @Option(
      names = "--warmup",
      paramLabel = "N",
      defaultValue = "2",
      description = "Seconds of the same before that; 2 by default.")
  private int warmUp;

  @Option(
      names = "--parked",
      paramLabel = "N",
      defaultValue = "100000",
      description = "How many runs wait in parked; 100000 by default.")
  private int parked;

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      defaultValue = "1g",
      description = "Heap of the process of parked, as java -Xmx has it; 1g by default.")
  private String heap = "1g";

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Where the database files go for a while: on the disk to be measured.")
  private @Nullable Path dir;

  @Option(names = "--json", description = "Print the figures as JSON.")
  private boolean json;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this.")
  @SuppressWarnings("UnusedVariable") // picocli looks at it
  private boolean help;

  @Spec private @Nullable CommandSpec spec;

  private final PrintStream out;
  private final PrintStream progress;

  Bench(PrintStream out, PrintStream progress) {
    this.out = out;
    this.progress = progress;
  }

  public static void main(String[] args) {
    System.exit(new CommandLine(new Bench(System.out, System.err)).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    if (clients.stream().anyMatch(count -> count < 1)) throw usage("--clients must be at least 1");
    if (seconds < 1) throw usage("--seconds must be at least 1");
    if (parked < 1) throw usage("--parked must be at least 1");
    if (!HEAP.matcher(heap).matches()) throw usage("--heap is a size such as 512m or 4g");
    if (warmUp < 0) throw usage("--warmup must not be negative");
    if (peer != null) peerClassPath(peer); // complains before anything is started
    var stores = stores();
    if (url != null && !PostgresDatabases.knows(url)) {
      throw usage("--url is jdbc:postgresql://host:port/database, not '%s'".formatted(url));
    }
    var workloads = only.stream().map(this::workload).toList();
    try (var folder = Folder.in(dir == null ? defaultFolder() : dir);
        var server = server(stores, folder.path())) {
      var facts = Machine.facts(folder.path(), arguments());
      if (server != null) facts.put("PostgreSQL", server.facts());
      facts.forEach((name, value) -> progress.printf("%-12s %s%n", name, value));
      var report = new Report(progress);
      var contest = contest(server, folder.path());
      for (var kind : stores) {
        var site = new Site(kind, folder.path(), server);
        for (var workload : workloads) {
          if (kind == StoreKind.POSTGRES && contest != null && isContested(workload)) {
            contest.measure(workload, report, facts);
          } else {
            measure(workload, site, report);
          }
        }
      }
      report.progress("done");
      print(facts, report);
      return report.isSound() ? 0 : 1;
    }
  }

  private static boolean isContested(Workload workload) {
    return Sizes.CONTESTED.contains(workload.id());
  }

  private @Nullable Contest contest(@Nullable PostgresDatabases server, Path folder) {
    if (peer == null || server == null) return null;
    return new Contest(peer, peerClassPath(peer), sizes(), server, folder);
  }

  private String peerClassPath(String name) {
    if (!PEERS.contains(name)) throw usage("--peer is dbos, not '%s'".formatted(name));
    var folder = System.getProperty(PEERS_FOLDER);
    if (folder == null) throw usage("--peer is built and found by ./reprise bench only");
    try {
      return Contest.classPath(Path.of(folder), name);
    } catch (IOException e) {
      throw usage("the peer %s is not built: %s".formatted(name, e.getMessage()));
    }
  }

  private Sizes sizes() {
    return new Sizes(clients, warmUp, seconds);
  }

  private @Nullable PostgresDatabases server(Set<StoreKind> stores, Path folder) {
    return stores.contains(StoreKind.POSTGRES) ? PostgresDatabases.on(url, folder) : null;
  }

  private static void measure(Workload workload, Site site, Report report) throws Exception {
    var watch = Cpu.watchAll();
    try {
      workload.measure(site, report);
    } catch (RuntimeException failure) { // what the others have measured is not lost with it
      report.progress("%s failed: %s".formatted(workload.id(), causes(failure)));
      report.wrong(workload, "on %s it failed: %s".formatted(site.kind(), causes(failure)));
    }
    double others = Cpu.othersSince(watch);
    if (site.kind() == StoreKind.POSTGRES || workload.isInOtherProcesses()) return; // no others
    if (others < DISTURBED) return;
    report.note(
        workload,
        String.format(
            Locale.ROOT,
            "disturbed: on %s other processes kept %.1f cores busy, so take these with caution",
            site.kind(),
            others));
  }

  private static String causes(Throwable failure) {
    return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
        .map(Throwable::toString)
        .collect(Collectors.joining("; "));
  }

  private Set<StoreKind> stores() {
    if (store == null) {
      return peer == null
          ? EnumSet.of(StoreKind.SQLITE, StoreKind.MEMORY)
          : EnumSet.of(StoreKind.POSTGRES);
    }
    var kinds = EnumSet.noneOf(StoreKind.class);
    if (peer != null) kinds.add(StoreKind.POSTGRES);
    for (var name : store) {
      var named =
          Stream.of(StoreKind.values()).filter(kind -> name.equals(kind.toString())).toList();
      if (named.isEmpty() && !name.equals(ALL)) {
        throw usage("--store is sqlite, memory, postgres or all, not '%s'".formatted(name));
      }
      kinds.addAll(named.isEmpty() ? EnumSet.allOf(StoreKind.class) : named);
    }
    return kinds;
  }

  private Workload workload(String id) {
    if (id.equals(ParkedRuns.ID)) return new ParkedRuns(parked, Math.min(parked, 1_000), heap);
    return sizes()
        .workload(id)
        .orElseThrow(() -> usage("--only does not know '%s', see --help".formatted(id)));
  }

  private ParameterException usage(String message) {
    return new ParameterException(command().commandLine(), message);
  }

  private List<String> arguments() {
    var parsed = command().commandLine().getParseResult();
    return parsed == null ? List.of() : parsed.originalArgs();
  }

  private CommandSpec command() {
    if (spec == null) throw new IllegalStateException("not started by a command line");
    return spec;
  }

  /** Beside the classes, because a folder for temporary files may be in memory. */
  private static Path defaultFolder() throws URISyntaxException, IOException {
    var code = Bench.class.getProtectionDomain().getCodeSource();
    if (code != null) {
      var classes = Path.of(code.getLocation().toURI());
      if (Files.isDirectory(classes)) return classes.resolveSibling("bench");
    }
    return Path.of(System.getProperty("java.io.tmpdir"), "reprise-bench");
  }

  private void print(Map<String, String> facts, Report report) {
    if (!json) {
      out.println(report.text());
      return;
    }
    var all = new LinkedHashMap<String, Object>();
    all.put("machine", facts);
    all.put("results", new ArrayList<>(report.results()));
    all.put("notes", new ArrayList<>(report.notes()));
    out.println(JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(all));
  }
}
