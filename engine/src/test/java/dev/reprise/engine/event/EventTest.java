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
          of(""),
          of("Checkout", "1"),
          of("Payments.charge:1"),
          of("Payments.charge:1", "{\"a\":1}7"),
          of("my id", ""),
          of(""),
          of(""),
          of("Payments.charge:1"),
          of("my id"),
          of("child Ship:1", "3"),
          of("child Ship:1", "4"),
          of("child Ship:1"),
          of("signal child Ship:1:1", "5"),
          of("rename", "\"a\""),
          of("m-2", "\"b\""),
          of("m-2"),
          of("rename"),
          of("progress", "6"),
          of("customer"),
          of("cents"),
          of("rate"),
          of("vip"),
          of("customer"),
          of("loop:1", "{}"),
          of(""),
          of("ops/7"),
          of("ops/7"),
          of(""),
          of("ops/7"),
          of(""),
          of("Payments.charge:1", "12"),
          of("Payments.charge:1", "null"),
          of("Payments.charge:1"),
          of("c0de"));

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
          case WORKFLOW_COMPLETED,
              WORKFLOW_FAILED,
              WORKFLOW_CANCELLED,
              WORKFLOW_TIMED_OUT,
              WORKFLOW_TERMINATED,
              WORKFLOW_CONTINUED_AS_NEW ->
              true;
          default -> false;
        };
    assertThat(event.isTerminal()).isEqualTo(end);
  }

  @ParameterizedTest
  @MethodSource("places")
  void only_what_was_sent_and_its_answer_have_an_id_of_its_sender(int place) {
    var event = Events.all().get(place);

    var expected =
        switch (event) {
          case Event.UpdateReceived _, Event.UpdateCompleted _, Event.UpdateFailed _ -> "m-2";
          case Event.UpdateRefused _ -> "m-3";
          default -> event.equals(SENT_WITH_ID) ? "m-1" : null;
        };
    assertThat(event.message()).isEqualTo(expected);
  }
}
