package dev.reprise.engine.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class EventJsonTest {

  @ParameterizedTest
  @MethodSource("events")
  void every_event_is_read_as_it_was_written(Event event) {
    var read = again(event);

    assertThat(read).isEqualTo(event);
  }

  static List<Event> events() {
    return Events.all();
  }

  /** A first event has what the activity was called with, whatever came of the call. */
  @Test
  void arguments_come_last() {
    var kept = KeptArguments.of(new byte[][] {{'7'}, {'[', ']'}}, 100);
    var call = new Event.Call("my id", "Payments.charge", "1f", kept);
    for (var event :
        List.of(
            new Event.ActivityCompleted(call, 2, Payload.none()),
            new Event.ActivityFailed(call, 1, Events.FAILURE),
            new Event.ActivityRetryScheduled(call, 1, Events.FAILURE, Events.DUE),
            new Event.ActivityCancelled(call, 0))) {
      assertThat(text(event)).endsWith(",\"arguments\":[7,[]]}");
      assertThat(again(event)).isEqualTo(event);
      assertThat(again(event).call().arguments().json()).isEqualTo(kept.json());
    }
  }

  @Test
  void arguments_keep_their_digits() {
    var kept = KeptArguments.of(new byte[][] {"1.50".getBytes(StandardCharsets.UTF_8)}, 100);
    var event =
        new Event.ActivityCancelled(new Event.Call("my id", "Payments.charge", "1f", kept), 0);

    assertThat(again(event).call().arguments().json()).isEqualTo(kept.json());
  }

  @Test
  void every_type_is_among_them() {
    var types = EnumSet.noneOf(EventType.class);

    for (var event : events()) types.add(EventType.of(event));

    assertThat(types).containsExactlyInAnyOrder(EventType.values());
  }

  @Test
  void ids_that_are_carried_over_say_what_they_are_of() {
    var taken =
        List.of(
            MessageKey.signal("go on", "m-1"),
            MessageKey.update("rename", "m-1"),
            MessageKey.any("signal x"));
    var lineage = new Origin.Lineage(Origin.How.CONTINUED, new UUID(0, 1), List.of(), 0, taken);
    var started =
        new Event.WorkflowStarted(
            "W", "w", new UUID(0, 2), Payload.none(), Origin.PLAIN.withLineage(lineage));

    assertThat(text(started))
        .contains(
            """
            "taken":["m-1","m-1","signal x"],"takenBy":["signal go on","update rename",""]\
            """);
    assertThat(again(started)).isEqualTo(started);
  }

  @Test
  void an_answer_names_its_update_only_where_the_message_id_does_not() {
    var completed = new Event.UpdateCompleted("m-2", Events.json("1"), "rename");
    var failed = new Event.UpdateFailed("m-2", Events.FAILURE, "rename");

    assertThat(text(completed)).isEqualTo("25 {\"message\":\"m-2\",\"update\":\"rename\"}");
    assertThat(again(completed)).isEqualTo(completed);
    assertThat(again(failed)).isEqualTo(failed);
  }

  /** What a release wrote, every later one must read: a change here breaks open runs. */
  @Test
  void the_format_is_a_promise() {
    assertThat(Events.all().stream().map(EventJsonTest::text))
        .containsExactly(
            """
            1 {"workflow":"Checkout","workflowId":"order-7","runId":"00000000-0000-0001-0000-000000000002"}\
            """,
            """
            2 {"id":"Payments.charge:1","digest":"1f"}\
            """,
            """
            2 {"id":"my id","name":"Payments.charge","attempts":3}\
            """,
            """
            3 {"id":"Payments.charge:1","digest":"1f","attempts":5,"failure":%s}\
            """
                .formatted(FAILURE),
            """
            4 {"id":"my id","name":"Payments.charge","attempt":2,"due":"2030-05-06T07:08:09.123456Z","failure":%s}\
            """
                .formatted(FAILURE),
            """
            5 {"id":"sleep:1","due":"2030-05-06T07:08:09.123456Z"}\
            """,
            """
            6 {"id":"sleep:1"}\
            """,
            """
            7 {"id":"sleep:2"}\
            """,
            """
            8 {"signal":"approval"}\
            """,
            """
            9 {"id":"receive approval:1","due":"2030-05-06T07:08:09.123456Z"}\
            """,
            """
            10 {"change":"fraud-check"}\
            """,
            "11 {}",
            """
            12 {"failure":%s}\
            """
                .formatted(FAILURE),
            """
            8 {"signal":"approval","message":"m-1"}\
            """,
            """
            13 {"requester":"ops/7","reason":"too late"}\
            """,
            """
            14 {"reason":"too late"}\
            """,
            """
            1 {"workflow":"Checkout","workflowId":"order-8","runId":"00000000-0000-0001-0000-000000000003","hash":"c0de","timeout":"PT72H","attributes":{"cents":700,"customer":"c-7"},"parent":{"workflowId":"order-1","runId":"00000000-0000-0005-0000-000000000006","childId":"child Ship:1"},"lineage":{"how":"LOOPED","from":"00000000-0000-0007-0000-000000000008","seeds":[{"runId":"00000000-0000-0007-0000-000000000008","upTo":3}],"copied":3,"taken":["m-1"],"unreceived":2}}\
            """,
            """
            15 {"id":"Payments.charge:1","digest":"1f","attempts":2}\
            """,
            """
            16 {"id":"Payments.charge:1","digest":"1f","lengths":[7,1],"retry":{"initial":"PT1S","factor":2.0,"cap":"PT1M","attempts":5,"jitter":0.5,"maxDuration":"PT1H","nonRetryable":["java.lang.Error"]},"timeout":"PT3S"}\
            """,
            """
            16 {"id":"my id","name":"Payments.charge","lengths":[]}\
            """,
            """
            17 {"status":"FAILED","failure":%s}\
            """
                .formatted(FAILURE),
            """
            17 {"status":"TERMINATED","requester":"ops/7","reason":"wrong order"}\
            """,
            """
            18 {"id":"Payments.charge:1","digest":"1f","attempts":1}\
            """,
            """
            19 {"id":"my id","name":"Payments.charge","attempts":5,"failure":%s}\
            """
                .formatted(FAILURE),
            """
            20 {"id":"child Ship:1","workflow":"Ship","workflowId":"order-7/Ship:1","onParentClose":"ABANDON","timeout":"PT48H"}\
            """,
            """
            21 {"id":"child Ship:1"}\
            """,
            """
            22 {"id":"child Ship:1","status":"TIMED_OUT","failure":%s}\
            """
                .formatted(FAILURE),
            """
            23 {"id":"signal child Ship:1:1","workflowId":"x","kind":"SIGNAL","name":"go"}\
            """,
            """
            24 {"update":"rename","message":"m-2"}\
            """,
            """
            25 {"message":"m-2"}\
            """,
            """
            26 {"message":"m-2","failure":%s}\
            """
                .formatted(FAILURE),
            """
            27 {"update":"rename","message":"m-3","code":"R126","reason":"not now"}\
            """,
            """
            28 {"key":"progress"}\
            """,
            """
            29 {"name":"customer","value":"c-7"}\
            """,
            """
            29 {"name":"cents","value":700}\
            """,
            """
            29 {"name":"rate","value":0.5}\
            """,
            """
            29 {"name":"vip","value":true}\
            """,
            """
            29 {"name":"customer"}\
            """,
            """
            30 {"id":"loop:1","carried":2}\
            """,
            """
            31 {"due":"2030-05-06T07:08:09.123456Z"}\
            """,
            """
            32 {"requester":"ops/7","hash":"c0de"}\
            """,
            """
            32 {"requester":"ops/7"}\
            """,
            """
            33 {"reason":"over"}\
            """,
            """
            34 {"requester":"ops/7","reason":"wrong order"}\
            """,
            """
            35 {"next":"00000000-0000-0001-0000-000000000004"}\
            """,
            """
            36 {"id":"Payments.charge:1","digest":"1f","queue":"gpu","priority":3,"key":"acme",\
            "retry":{"initial":"PT1S","factor":2.0,"cap":"PT1M","attempts":1},"timeout":"PT1S",\
            "visibility":"PT2S","heartbeat":"PT3S","wait":"PT4S","total":"PT5S","lengths":[1,1],\
            "result":"java.lang.String","secret":"fffffffffffffff9"}\
            """,
            """
            36 {"id":"Payments.charge:1","digest":"1f","queue":"default","lengths":[],\
            "result":"void","secret":"7"}\
            """,
            """
            37 {"id":"Payments.charge:1"}\
            """,
            """
            38 {"hash":"c0de"}\
            """);
  }

  @ParameterizedTest
  @CsvSource({
    "a:b:2, a:b, 1f",
    "explicit, charge, ''",
    "explicit, explicit, 1f",
    "charge:1, other, ''",
    "charge:1, charge, ''",
    "':1', '', ''",
    "':1', ':1', ''",
    "'a \" ☃:1', 'a \" ☃', ''"
  })
  void a_call_is_read_as_it_was_written_however_it_is_named(String id, String name, String digest) {
    var event = new Event.ActivityCompleted(new Event.Call(id, name, digest), 1, Payload.none());

    assertThat(EventJson.read(EventType.ACTIVITY_COMPLETED, EventJson.write(event), null))
        .isEqualTo(event);
  }

  @Test
  void an_event_whose_value_was_not_stored_has_that_of_nothing() {
    assertThat(read(EventType.WORKFLOW_COMPLETED, "{}"))
        .isEqualTo(new Event.WorkflowCompleted(Events.json("null")));
  }

  @Test
  void what_a_later_release_adds_is_passed_over() {
    assertThat(read(EventType.TIMER_FIRED, "{\"id\":\"sleep:1\",\"colour\":{\"a\":[1]}}"))
        .isEqualTo(new Event.TimerFired("sleep:1"));
  }

  @Test
  void what_is_missing_is_named() {
    assertThatThrownBy(() -> read(EventType.TIMER_FIRED, "{}")).hasMessageContaining("'id'");
    assertThatThrownBy(() -> read(EventType.WAIT_TIMED_OUT, "{\"id\":\"await:1\"}"))
        .hasMessageContaining("'due'");
  }

  private static Event read(EventType type, String json) {
    return EventJson.read(type, json.getBytes(StandardCharsets.UTF_8), null);
  }

  private static final String FAILURE =
      """
      {"type":"com.acme.CardDeclined","message":"no \\"credit\\"\\n","details":"code 51",\
      "stack":"Payments.java:7","cause":{"type":"java.io.IOException"}}\
      """;

  private static Event again(Event event) {
    return EventJson.read(EventType.of(event), EventJson.write(event), event.payload());
  }

  private static String text(Event event) {
    var json = new String(EventJson.write(event), StandardCharsets.UTF_8);
    return EventType.of(event).code() + " " + json;
  }
}
