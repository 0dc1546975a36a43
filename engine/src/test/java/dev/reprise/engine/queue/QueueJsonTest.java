package dev.reprise.engine.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.QueueLimits;
import dev.reprise.QueueLimits.Rate;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What stores keep of a queue is what is read from them. */
class QueueJsonTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  @Test
  void no_limits_are_an_empty_object() {
    assertThat(QueueJson.write(QueueLimits.none())).isEqualTo("{}");
    assertThat(QueueJson.limits("{}")).isEqualTo(QueueLimits.none());
  }

  @Test
  void limits_are_written_for_people_too() {
    var limits =
        QueueLimits.none()
            .perWorker(4)
            .concurrency(0)
            .perKey(2)
            .rate(100, Duration.ofMillis(1_500))
            .weight("b", 3)
            .weight("a", 2);

    assertThat(QueueJson.write(limits))
        .isEqualTo(
            """
            {"perWorker":4,"concurrency":0,"perKey":2,"rate":{"count":100,"per":"PT1.5S"},\
            "turns":true,"weights":{"a":2,"b":3}}\
            """);
  }

  @Test
  void what_a_later_version_adds_is_ignored() {
    assertThat(QueueJson.limits("{\"concurrency\":3,\"colour\":\"red\"}"))
        .isEqualTo(QueueLimits.none().concurrency(3));
  }

  @Test
  void any_limits_come_back() {
    for (int seed = 0; seed < 500; seed++) {
      var limits = limits(new Random(seed));

      assertThat(QueueJson.limits(QueueJson.write(limits))).isEqualTo(limits);
    }
  }

  private static QueueLimits limits(Random random) {
    var weights = new HashMap<String, Integer>();
    for (int i = random.nextInt(4); i > 0; i--) {
      weights.put("k\"ey ü" + i, 1 + random.nextInt(Integer.MAX_VALUE - 1));
    }
    var per = Duration.ofNanos(1 + random.nextLong(Long.MAX_VALUE - 1));
    var rate = new Rate(1 + random.nextInt(Integer.MAX_VALUE - 1), per);
    return new QueueLimits(
        number(random, 1),
        number(random, 0),
        number(random, 1),
        random.nextBoolean() ? rate : null,
        random.nextBoolean(),
        weights);
  }

  private static @Nullable Integer number(Random random, int least) {
    return random.nextBoolean() ? null : least + random.nextInt(Integer.MAX_VALUE - least);
  }

  @Test
  void nothing_kept_is_a_new_flow() {
    assertThat(QueueJson.flow(null)).isEqualTo(Flow.NEW);
    assertThat(QueueJson.flow(QueueJson.write(Flow.NEW))).isEqualTo(Flow.NEW);
  }

  @Test
  void any_flow_comes_back() {
    for (int seed = 0; seed < 500; seed++) {
      var random = new Random(seed);
      Map<String, Double> ahead = new HashMap<>();
      for (int i = random.nextInt(4); i > 0; i--) ahead.put("ké\ny" + i, random.nextDouble() * 1e9);
      boolean rated = random.nextBoolean();
      var flow =
          new Flow(
              rated ? random.nextDouble() * 100 : 0,
              rated ? NOON.plusNanos(random.nextLong(1L << 60)) : null,
              random.nextBoolean() ? random.nextDouble() * 1e9 : 0,
              ahead);

      assertThat(QueueJson.flow(QueueJson.write(flow))).isEqualTo(flow);
    }
  }
}
