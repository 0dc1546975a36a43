package dev.reprise.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdsTest {
  private final Ids ids = new Ids();

  private static void assertDuplicate(Runnable call, String id) {
    var e = catchThrowableOfType(RepriseException.class, call::run);
    assertThat(e.code()).isEqualTo(ErrorCode.R104);
    assertThat(e).hasMessageContaining("'" + id + "'");
  }

  @Test
  void each_name_counts_by_itself() {
    assertThat(List.of(ids.next("a"), ids.next("b"), ids.next("a"), ids.next("receive x")))
        .containsExactly("a:1", "b:1", "a:2", "receive x:1");
  }

  @Test
  void an_explicit_id_is_taken_as_it_is_and_counts_nothing() {
    assertThat(ids.explicit("order 7")).isEqualTo("order 7");
    assertThat(ids.explicit("a:2")).isEqualTo("a:2");
    assertThat(ids.next("a")).isEqualTo("a:1");
  }

  @Test
  void an_explicit_id_may_be_given_once() {
    ids.explicit("x");

    assertDuplicate(() -> ids.explicit("x"), "x");
  }

  @Test
  void an_explicit_id_that_a_counter_has_passed_is_a_duplicate() {
    ids.next("a");
    ids.next("a");

    assertDuplicate(() -> ids.explicit("a:1"), "a:1");
    assertDuplicate(() -> ids.explicit("a:2"), "a:2");
    assertThat(ids.explicit("a:3")).isEqualTo("a:3");
  }

  @Test
  void a_counter_that_comes_to_an_explicit_id_finds_a_duplicate() {
    ids.explicit("a:2");
    ids.next("a");

    assertDuplicate(() -> ids.next("a"), "a:2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a:0", "a:01", "a:-1", "a:", "a", ":", ":1", "a:99999999999", "a:1x", "a:1:1"})
  void what_only_looks_like_a_counted_id_is_free(String id) {
    ids.next("a");

    assertThatCode(() -> ids.explicit(id)).doesNotThrowAnyException();
  }

  @Test
  void names_with_colons_are_told_apart() {
    assertThat(ids.next("a:1")).isEqualTo("a:1:1");
    assertThat(ids.next("a")).isEqualTo("a:1");
    assertDuplicate(() -> ids.explicit("a:1:1"), "a:1:1");
  }
}
