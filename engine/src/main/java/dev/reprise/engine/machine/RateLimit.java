package dev.reprise.engine.machine;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what is said again and again from filling a log: of one key, one line in a pause, with how
 * many were left out since. Knows no clock; safe for use by many threads.
 */
public final class RateLimit {
  private final long pauseNanos;
  private final Map<String, Said> keys;

  private static final class Said {
    private long nanos;
    private int omitted;
  }

  /**
   * @param pause at least so much between two lines of one key
   * @param most keys that are remembered; of more, that which was mentioned longest ago is
   *     forgotten
   */
  public RateLimit(Duration pause, int most) {
    this.pauseNanos = pause.toNanos();
    this.keys =
        new LinkedHashMap<>(16, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<String, Said> eldest) {
            return size() > most;
          }
        };
  }

  /** How many lines of that key were left out since the last one; empty if this one is too. */
  public synchronized OptionalInt ask(String key, long nowNanos) {
    @Nullable Said said = keys.get(key);
    if (said == null) {
      said = new Said();
      keys.put(key, said);
    } else if (nowNanos - said.nanos < pauseNanos) {
      said.omitted++;
      return OptionalInt.empty();
    }
    int omitted = said.omitted;
    said.nanos = nowNanos;
    said.omitted = 0;
    return OptionalInt.of(omitted);
  }
}
