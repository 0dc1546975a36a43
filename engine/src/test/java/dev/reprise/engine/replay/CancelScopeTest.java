package dev.reprise.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CancelScopeTest {

  @Test
  void giving_up_reaches_everything_inside_and_nothing_outside() {
    var root = CancelScope.root();
    var middle = root.inner();
    var leaf = middle.inner();

    middle.cancel("why");

    assertThat(root.isCancelled()).isFalse();
    assertThat(root.why()).isNull();
    assertThat(middle.isCancelled()).isTrue();
    assertThat(leaf.isCancelled()).isTrue();
    assertThat(leaf.why()).isEqualTo("why");
    assertThat(root.inner().isCancelled()).isFalse();
  }

  @Test
  void a_shield_keeps_it_away_but_not_what_is_given_up_within() {
    var root = CancelScope.root();
    var shielded = root.inner().shielded();
    var within = shielded.inner();
    root.cancel("outside");
    assertThat(within.isCancelled()).isFalse();
    assertThat(within.why()).isNull();

    shielded.cancel("within");

    assertThat(within.why()).isEqualTo("within");
  }

  @Test
  void the_first_reason_counts_and_the_nearest() {
    var root = CancelScope.root();
    var inner = root.inner();
    inner.cancel("first");
    inner.cancel("second");
    root.cancel("outer");

    assertThat(inner.why()).isEqualTo("first");
    assertThat(root.inner().why()).isEqualTo("outer");
  }

  @Test
  void it_knows_whether_another_reaches_it() {
    var root = CancelScope.root();
    var inner = root.inner();
    var shielded = inner.shielded();

    assertThat(inner.isIn(root)).isTrue();
    assertThat(inner.isIn(inner)).isTrue();
    assertThat(root.isIn(inner)).isFalse();
    assertThat(shielded.isIn(shielded)).isTrue();
    assertThat(shielded.inner().isIn(root)).isFalse();
    assertThat(inner.isIn(CancelScope.root())).isFalse();
  }
}
