package dev.reprise.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Signal;
import dev.reprise.engine.event.Event.SignalReceived;
import dev.reprise.engine.event.Payload;
import dev.reprise.engine.replay.Wait.Kind;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class SignalBoxTest {
  private final SignalBox box = new SignalBox();

  private static SignalReceived signal(String name, int number) {
    var value = String.valueOf(number).getBytes(StandardCharsets.UTF_8);
    return new SignalReceived(name, Payload.of(value), null);
  }

  @SuppressWarnings("NullAway") // a wait that nobody waits in
  private static Wait wait(String id) {
    return new Wait(Kind.SIGNAL, null, id, "a signal", null);
  }

  @Test
  void signals_that_nobody_waits_for_stay_in_order_for_each_name() {
    assertThat(box.offer(signal("a", 1))).isNull();
    assertThat(box.offer(signal("b", 2))).isNull();
    assertThat(box.offer(signal("a", 3))).isNull();

    assertThat(box.take("a")).isEqualTo(signal("a", 1));
    assertThat(box.take("a")).isEqualTo(signal("a", 3));
    assertThat(box.take("a")).isNull();
    assertThat(box.take("b")).isEqualTo(signal("b", 2));
  }

  @Test
  void whoever_takes_any_gets_the_oldest_of_all() {
    box.offer(signal("b", 1));
    box.offer(signal("a", 2));
    box.offer(signal("b", 3));
    box.take("b");

    assertThat(box.take(null)).isEqualTo(signal("a", 2));
    assertThat(box.take(null)).isEqualTo(signal("b", 3));
    assertThat(box.take(null)).isNull();
  }

  @Test
  void waits_get_signals_in_the_order_of_waiting() {
    var first = wait("1");
    var any = wait("2");
    var second = wait("3");
    box.receive(Signal.of("a", Integer.class), first);
    box.receive(null, any);
    box.receive(Signal.of("a", Integer.class), second);

    assertThat(box.offer(signal("b", 1))).isSameAs(any);
    assertThat(box.offer(signal("a", 2))).isSameAs(first);
    assertThat(box.offer(signal("a", 3))).isSameAs(second);
    assertThat(box.offer(signal("a", 4))).isNull();
    assertThat(box.take("a")).isEqualTo(signal("a", 4));
  }

  @Test
  void the_first_wait_says_as_what_a_signal_is_going_to_be_read() {
    var text = Signal.of("a", String.class);
    box.receive(text, wait("1"));
    box.receive(null, wait("2"));
    box.receive(Signal.of("b", Integer.class), wait("3"));

    assertThat(box.expected("a")).isEqualTo(text);
    assertThat(box.expected("b")).as("whoever wants any signal is before").isNull();
    box.offer(signal("a", 1));
    assertThat(box.expected("a")).isNull();
  }

  @Test
  void a_wait_that_was_given_up_gets_nothing() {
    var first = wait("1");
    var second = wait("2");
    box.receive(Signal.of("a", Integer.class), first);
    box.receive(Signal.of("a", Integer.class), second);

    box.giveUp(first);

    assertThat(box.offer(signal("a", 1))).isSameAs(second);
  }
}
