package dev.reprise.server;

import dev.reprise.QueueLimits;
import dev.reprise.RepriseException;
import dev.reprise.server.LimitsText.Bound;
import dev.reprise.server.LimitsText.Pace;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code reprise limit}: changes what is allowed on a queue. */
@Command(
    name = "limit",
    description = "Changes the limits of a queue, for all its workers, from now on.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class)
final class LimitCommand implements Runnable {
  @Mixin private final Reading reading = new Reading();

  @Parameters(paramLabel = "NAME", description = "Of the queue, which need not be there yet.")
  private String name = "";

  @Option(
      names = "--concurrency",
      paramLabel = "N|none",
      description = "At most so many at once, in all workers together.")
  private @Nullable Bound concurrency;

  @Option(
      names = "--per-worker",
      paramLabel = "N|none",
      description = "At most so many at once in one worker.")
  private @Nullable Bound perWorker;

  @Option(
      names = "--per-key",
      paramLabel = "N|none",
      description = "At most so many at once of one key, in all workers together.")
  private @Nullable Bound perKey;

  @Option(
      names = "--rate",
      paramLabel = "N/TIME|none",
      description = "At most so many begin in a time: 100/1s, 5/250ms, 1000/h.")
  private @Nullable Pace rate;

  @Option(
      names = "--fair",
      negatable = true,
      description = "Keys take turns; or they do not any more, and have no weights.")
  private @Nullable Boolean fair;

  @Option(
      names = "--weight",
      paramLabel = "KEY=N",
      description = "Keys take turns, and this one gets N where others get one.")
  private Map<String, Integer> weights = new LinkedHashMap<>();

  @Option(names = "--pause", description = "Hands nothing out; what runs goes on.")
  private boolean pause;

  @Option(names = "--resume", description = "Ends a pause, without a limit of concurrency.")
  private boolean resume;

  @Override
  public void run() {
    check();
    try (var client = reading.visit()) {
      var before = client.queue(name).limits();
      var after = changed(before);
      client.limit(name, after);
      if (reading.json()) reading.out().println(QueueJson.change(name, before, after));
      else print(before, after);
    }
  }

  private void check() {
    if (name.isBlank()) throw reading.wrong("The name of the queue is blank.");
    int ways = (pause ? 1 : 0) + (resume ? 1 : 0) + (concurrency == null ? 0 : 1);
    if (ways > 1) throw reading.wrong("Only one of --pause, --resume and --concurrency.");
    if (Boolean.FALSE.equals(fair) && !weights.isEmpty()) {
      throw reading.wrong("Weights are of keys that take turns: --weight or --no-fair.");
    }
    boolean others = perWorker != null || perKey != null || rate != null || fair != null;
    if (ways == 0 && !others && weights.isEmpty()) {
      throw reading.wrong("What is to be changed? 'reprise queue' shows the limits as they are.");
    }
  }

  private QueueLimits changed(QueueLimits before) {
    try {
      return new QueueLimits(
          perWorker == null ? before.perWorker() : perWorker.value(),
          concurrency(before),
          perKey == null ? before.perKey() : perKey.value(),
          rate == null ? before.rate() : rate.value(),
          fair == null ? before.turns() || !weights.isEmpty() : fair,
          weights(before));
    } catch (RepriseException invalid) {
      throw reading.wrong(String.valueOf(invalid.getMessage()));
    }
  }

  private @Nullable Integer concurrency(QueueLimits before) {
    if (pause) return 0;
    if (concurrency != null) return concurrency.value();
    var now = before.concurrency();
    return resume && now != null && now == 0 ? null : now;
  }

  /** A weight of one is what every key has. */
  private Map<String, Integer> weights(QueueLimits before) {
    var all = new LinkedHashMap<String, Integer>();
    if (!Boolean.FALSE.equals(fair)) all.putAll(before.weights());
    all.putAll(weights);
    all.values().removeIf(weight -> weight == 1);
    return all;
  }

  private void print(QueueLimits before, QueueLimits after) {
    var out = reading.out();
    out.println(Table.printable(name));
    out.println("  before: " + Table.printable(LimitsText.of(before)));
    out.println("  after:  " + Table.printable(LimitsText.of(after)));
  }
}
