package dev.reprise.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class IdsTest {
  private final Ids ids = new Ids();

  @Test
  void each_name_is_counted_for_itself() {
    assertThat(ids.next("reserve")).isEqualTo("reserve:1");
    assertThat(ids.next("charge")).isEqualTo("charge:1");
    assertThat(ids.next("reserve")).isEqualTo("reserve:2");
  }

  @Test
  void an_explicit_id_is_used_once() {
    ids.explicit("pay");

    assertThatThrownBy(() -> ids.explicit("pay")).hasMessageStartingWith("R104");
  }

  @Test
  void explicit_and_automatic_ids_do_not_meet() {
    ids.next("reserve");
    ids.explicit("reserve:2");

    assertThatThrownBy(() -> ids.explicit("reserve:1")).hasMessageStartingWith("R104");
    assertThatThrownBy(() -> ids.next("reserve")).hasMessageStartingWith("R104");
  }

  @Test
  void an_explicit_id_may_look_like_anything() {
    assertThat(ids.explicit("a:b:c")).isEqualTo("a:b:c");
    assertThat(ids.explicit("reserve:0")).isEqualTo("reserve:0");
    assertThat(ids.explicit("reserve:99999999999")).isEqualTo("reserve:99999999999");
  }
}
