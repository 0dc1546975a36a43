package dev.reprise.engine.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EventTest {

  /** What is asked of an event without asking what it is. */
  private record Answers(String subject, Optional<String> value) {}

  private static final Event SENT_WITH_ID =
      new Event.SignalReceived("approval", Events.json("\"yes\""), "m-1");

  /** In the order of {@link Events}. */
  private static final List<Answers> OF_ALL =
      List.of(
          of("Checkout", "{\"a\":1}"),
          of("Payments.charge:1", "[1,2]"),
          of("my id", "null"),
          of("Payments.charge:1"),
          of("my id"),
          of("sleep:1"),
          of("sleep:1"),
          of("sleep:2"),
          of("approval", "\"yes\""),
          of("receive approval:1"),
          of("fraud-check"),
          of("", "42"),
          of(""),
          of("approval", "\"yes\""),
          of("ops/7"),
          of(""));

  private static Answers of(String subject) {
    return new Answers(subject, Optional.empty());
  }

  private static Answers of(String subject, String value) {
    return new Answers(subject, Optional.of(value));
  }

  @ParameterizedTest
  @MethodSource("places")
  void an_event_says_what_it_is_about_and_what_the_user_gave_or_got(int place) {
    var event = Events.all().get(place);

    assertThat(
            new Answers(
                event.subject(), Optional.ofNullable(event.payload()).map(Payload::toString)))
        .isEqualTo(OF_ALL.get(place));
  }

  static List<Integer> places() {
    return IntStream.range(0, Events.all().size()).boxed().toList();
  }

  @ParameterizedTest
  @MethodSource("places")
  void only_the_ends_of_a_workflow_are_terminal(int place) {
    var event = Events.all().get(place);

    boolean end =
        switch (EventType.of(event)) {
          case WORKFLOW_COMPLETED, WORKFLOW_FAILED, WORKFLOW_CANCELLED -> true;
          default -> false;
        };
    assertThat(event.isTerminal()).isEqualTo(end);
  }

  @ParameterizedTest
  @MethodSource("places")
  void only_a_signal_has_an_id_of_its_sender(int place) {
    var event = Events.all().get(place);

    assertThat(event.message()).isEqualTo(event.equals(SENT_WITH_ID) ? "m-1" : null);
  }
}
