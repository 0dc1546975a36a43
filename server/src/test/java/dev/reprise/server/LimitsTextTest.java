package dev.reprise.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.QueueLimits;
import dev.reprise.server.LimitsText.Bound;
import dev.reprise.server.LimitsText.Pace;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class LimitsTextTest {
  @Test
  void no_limits_are_none() {
    assertThat(LimitsText.of(QueueLimits.none())).isEqualTo("none");
  }

  @Test
  void each_limit_has_its_words() {
    var limits =
        QueueLimits.none()
            .concurrency(20)
            .perWorker(4)
            .perKey(2)
            .rate(100, Duration.ofSeconds(1))
            .weight("silver", 2)
            .weight("gold", 3);

    assertThat(LimitsText.of(limits))
        .isEqualTo("20 at once, 4 per worker, 2 per key, 100/1s, fair, gold=3, silver=2");
    assertThat(LimitsText.of(limits.paused())).startsWith("paused, 4 per worker");
  }

  @ParameterizedTest
  @CsvSource({
    "100/1s, PT1S, 100/1s",
    "100/s, PT1S, 100/1s",
    "5/250ms, PT0.25S, 5/250ms",
    "7/1500ms, PT1.5S, 7/1500ms",
    "7/120s, PT2M, 7/2min",
    "1000/h, PT1H, 1000/1h",
    "3/48h, PT48H, 3/2d"
  })
  void a_rate_is_read_and_shown(String typed, Duration per, String shown) {
    var rate = Pace.parse(typed).value();

    assertThat(rate).isNotNull();
    assertThat(rate.per()).isEqualTo(per);
    assertThat(LimitsText.of(QueueLimits.none().rate(rate.count(), rate.per()))).isEqualTo(shown);
  }

  @Test
  void a_rate_that_nobody_types_is_shown_all_the_same() {
    var limits = QueueLimits.none().rate(1, Duration.ofNanos(1_000_001));

    assertThat(LimitsText.of(limits)).isEqualTo("1/PT0.001000001S");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "100", "100/", "/1s", "100/1", "-1/s", "1.5/s", "100/1w", "x/s"})
  void what_is_no_rate_is_refused(String typed) {
    assertThatThrownBy(() -> Pace.parse(typed))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("'%s' is neither a rate", typed);
  }

  @Test
  void numbers_that_are_too_large_are_refused() {
    for (var typed : List.of("99999999999/s", "1/99999999999999999999d", "1/9999999999999999d")) {
      assertThatThrownBy(() -> Pace.parse(typed)).hasMessage("'%s' is too large", typed);
    }
  }

  @Test
  void a_limit_is_a_number_or_none() {
    assertThat(Bound.parse("7").value()).isEqualTo(7);
    assertThat(Bound.parse("none").value()).isNull();
    assertThat(Pace.parse("NONE").value()).isNull();
    assertThatThrownBy(() -> Bound.parse("many"))
        .isInstanceOf(TypeConversionException.class)
        .hasMessage("'many' is neither a number nor none");
  }
}
