package dev.reprise.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedStateTest {
  private static final String SOURCE =
      """
      public class Sample implements Workflow<String, Object> {
        static int count;
        static final Map<String, String> CACHE = new ConcurrentHashMap<>();
        static final AtomicInteger NUMBER = new AtomicInteger();
        static final Instant STARTED = Instant.now();
        static final String[] SLOTS = new String[3];
        static final List<String> NAMES = List.of("a", "b");
        static final Duration PATIENCE = Duration.ofDays(2);
        static final System.Logger LOG = System.getLogger("x");
        private String last;
        private final List<String> seen = new ArrayList<>();
        private final String region;
        Sample(String region) { this.region = region; this.last = region; }
        static class State { int total; final List<String> names = new ArrayList<>(); }
        public Object run(Context ctx, String input) {
          count++;
          CACHE.put(input, "x");
          NUMBER.incrementAndGet();
          STARTED.plusSeconds(1);
          SLOTS[0] = input;
          last = input;
          seen.add(input);
          var state = new State();
          state.total++;
          state.names.add(NAMES.get(0));
          CACHE.get(region);
          LOG.log(System.Logger.Level.INFO, PATIENCE.toString());
          return state.total;
        }
      }
      """;

  @Test
  void what_lives_longer_than_a_run_must_not_change(@TempDir Path folder) {
    var findings = Samples.compile(folder, Map.of("Sample", SOURCE)).scan().all();

    assertThat(findings).extracting(Finding::kind).containsOnly(Kind.STATE);
    assertThat(findings)
        .extracting(finding -> finding.line() + " " + finding.what())
        .containsExactly(
            "16 Sample.count, a static field that is not final,",
            "17 Sample.CACHE.put(…)",
            "18 Sample.NUMBER.incrementAndGet()",
            "19 Sample.STARTED, which was set by Instant.now(),",
            "20 Sample.SLOTS[…] = …",
            "21 Sample.last, a field of the object that serves all runs,",
            "22 Sample.seen.add(…)");
  }
}
