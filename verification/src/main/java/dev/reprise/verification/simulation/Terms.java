package dev.reprise.verification.simulation;

import dev.reprise.ActivityOptions;
import dev.reprise.RetryPolicy;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.BiFunction;

/**
 * On which queue an activity is put, and how; times in milliseconds, 0 for none.
 *
 * @param visibility how long a worker may be silent
 * @param heartbeat the same for one that sends heartbeats
 * @param attempt how long one may take
 * @param patience until the first worker
 * @param total for everything
 * @param attempts how many; 0 for any number
 */
record Terms(
    String queue,
    String key,
    int priority,
    int visibility,
    int heartbeat,
    int attempt,
    int patience,
    int total,
    int retry,
    int attempts) {
  static final int QUEUES = 2;

  /** The queue of that number. */
  static String queue(int number) {
    return "q" + number;
  }

  static Terms draw(SplittableRandom random) {
    return new Terms(
        queue(random.nextInt(QUEUES)),
        "k" + random.nextInt(3),
        random.nextInt(3),
        500 + random.nextInt(2_500),
        rarely(random, 4, 200, 1_500),
        rarely(random, 4, 300, 2_000),
        rarely(random, 6, 20, 2_000),
        rarely(random, 6, 100, 6_000),
        10 + random.nextInt(600),
        random.nextInt(3) == 0 ? 1 + random.nextInt(3) : 0);
  }

  private static int rarely(SplittableRandom random, int oneOf, int least, int more) {
    return random.nextInt(oneOf) == 0 ? least + random.nextInt(more) : 0;
  }

  ActivityOptions options() {
    var options =
        ActivityOptions.onQueue(queue)
            .key(key)
            .priority(priority)
            .visibility(Duration.ofMillis(visibility))
            .retry(RetryPolicy.fixed(Duration.ofMillis(retry), attempts));
    options = with(options, heartbeat, ActivityOptions::heartbeatTimeout);
    options = with(options, attempt, ActivityOptions::timeout);
    options = with(options, patience, ActivityOptions::queueTimeout);
    return with(options, total, ActivityOptions::totalTimeout);
  }

  private static ActivityOptions with(
      ActivityOptions options,
      int millis,
      BiFunction<ActivityOptions, Duration, ActivityOptions> change) {
    return millis == 0 ? options : change.apply(options, Duration.ofMillis(millis));
  }
}
