package dev.reprise.engine.bind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.Context;
import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

class StandInsTest {
  interface Payments {
    String charge(String order);
  }

  static final class Bank {
    final Payments payments;

    Bank(Payments payments) {
      this.payments = payments;
    }
  }

  enum Size {
    SMALL,
    LARGE
  }

  abstract static class Flow implements Workflow<String, String> {
    @Override
    public String run(Context ctx, String input) {
      return input;
    }
  }

  static final class Checkout extends Flow {
    final List<Object> parts;

    private Checkout(Payments payments, Bank bank, int times, String name, Size size) {
      parts = List.of(payments, bank, times, name, size);
    }

    Checkout() {
      parts = List.of();
    }
  }

  static final class Simple extends Flow {
    final Duration pause;

    Simple(Duration pause, List<String> names, byte[] key) {
      this.pause = pause.plusDays(names.size() + key.length);
    }
  }

  static final class Locked extends Flow {
    Locked(ReentrantLock lock, Choice other) {
      throw new AssertionError(lock + " " + other);
    }
  }

  sealed interface Choice {
    record Only() implements Choice {}
  }

  static final class Picky extends Flow {
    Picky(Payments payments) {
      payments.charge("now");
    }
  }

  @Test
  void a_workflow_is_made_by_its_widest_constructor() {
    var checkout = (Checkout) StandIns.workflow(Checkout.class);

    assertThat(checkout.parts).hasSize(5).endsWith(0, "", Size.SMALL);
    assertThat(checkout.parts.get(1)).isInstanceOf(Bank.class);
  }

  @Test
  void values_are_empty() {
    var simple = (Simple) StandIns.workflow(Simple.class);

    assertThat(simple.pause).isZero();
  }

  @Test
  void a_stand_in_is_an_object_that_is_never_called() {
    var payments = StandIns.of(Payments.class);

    assertThat(Set.of(payments, StandIns.of(Payments.class))).hasSize(2).contains(payments);
    assertThat(payments).hasToString("a stand-in for " + Payments.class.getName());
    assertThatThrownBy(() -> payments.charge("a")).hasMessageContaining("nothing may be called");
  }

  @Test
  void what_cannot_be_made_is_told_with_what_to_do() {
    for (var type : List.of(Locked.class, Picky.class, Flow.class)) {
      assertThatThrownBy(() -> StandIns.workflow(type))
          .isInstanceOfSatisfying(
              RepriseException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.R120))
          .hasMessageContainingAll(type.getName(), "dev.reprise.engine.Workflows");
    }
    assertThatThrownBy(() -> StandIns.workflow(Bank.class)).hasMessageContaining("is no Workflow");
  }
}
