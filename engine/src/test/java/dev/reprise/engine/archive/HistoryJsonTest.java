package dev.reprise.engine.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.HistoryEvent;
import dev.reprise.RunDescription;
import dev.reprise.Status;
import dev.reprise.engine.event.Event.SignalReceived;
import dev.reprise.engine.event.Event.TimerScheduled;
import dev.reprise.engine.event.Event.WorkflowCompleted;
import dev.reprise.engine.event.Event.WorkflowStarted;
import dev.reprise.engine.event.Payload;
import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.RunRow;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HistoryJsonTest {
  private static final Instant START = Instant.parse("2030-01-01T00:00:00.123456Z");
  private static final UUID RUN = UUID.fromString("00000000-0000-7000-8000-000000000001");

  private static Payload bytes(String text) {
    return Payload.of(text.getBytes(StandardCharsets.UTF_8));
  }

  private static RunRow row(Status status) {
    var closed = status.isClosed() ? START : null;
    var blocked = status == Status.BLOCKED ? "R101 …" : null;
    return new RunRow(0, RUN, "w", "Flow", status, null, null, START, closed, blocked, 0);
  }

  private static History history(Payload input) {
    return new History(
        row(Status.COMPLETED),
        List.of(
            EventRow.of(new Recorded(1, START, null, new WorkflowStarted("Flow", "w", RUN, input))),
            EventRow.of(
                new Recorded(2, START, "Flow.java:7", new TimerScheduled("sleep:1", START))),
            EventRow.of(
                new Recorded(3, START, null, new SignalReceived("go", bytes("1"), "message 1"))),
            EventRow.of(new Recorded(4, START, null, new WorkflowCompleted(Payload.none())))));
  }

  private static List<Recorded> events(History history) {
    return history.events().stream().map(EventRow::recorded).toList();
  }

  // ---- nothing is lost

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "\"tea\"",
        "{\"b\":1,\"a\":[1.10,1e5,-0.0,12345678901234567890.123456789]}",
        "{\"a\":1,\"a\":2}",
        "{ \"spaced\" : true }",
        "\"\\u0041 \\/ ü 😀\"",
        "1 2",
        "<xml/>",
        "",
        "[[[]]]"
      })
  void every_value_comes_back_byte_by_byte(String value) {
    var history = history(bytes(value));

    var read = HistoryJson.read(HistoryJson.write(history));

    assertThat(events(read)).isEqualTo(events(history));
    assertThat(read.run()).isEqualTo(history.run());
  }

  @Test
  void bytes_that_are_no_text_come_back() {
    var history = history(Payload.of(new byte[] {(byte) 0xff, 0, 1, (byte) 0x80}));

    var json = HistoryJson.write(history);

    assertThat(json).contains("\"valueBase64\" : \"/wABgA==\"");
    assertThat(events(HistoryJson.read(json))).isEqualTo(events(history));
  }

  @Test
  void json_values_are_readable_in_the_document() {
    assertThat(HistoryJson.write(history(bytes("{\"item\":\"tea\"}"))))
        .contains("\"item\" : \"tea\"");
  }

  @Test
  void a_blocked_run_keeps_its_reason() {
    var open = new History(row(Status.BLOCKED), history(Payload.none()).events().subList(0, 2));

    assertThat(HistoryJson.read(HistoryJson.write(open)).run()).isEqualTo(open.run());
  }

  @Test
  void a_document_that_was_laid_out_anew_is_the_same() {
    var json = HistoryJson.write(history(bytes("{\"a\":1.10}")));
    var compact = HistoryJson.MAPPER.writeValueAsString(HistoryJson.MAPPER.readTree(json));

    assertThat(events(HistoryJson.read(compact))).isEqualTo(events(HistoryJson.read(json)));
  }

  @Test
  void what_a_client_shows_of_bytes_that_are_no_text_is_not_taken_for_them() {
    var run =
        new RunDescription(
            "w", RUN, "Flow", Status.RUNNING, START, null, null, null, null, Map.of(), List.of());
    var event =
        new HistoryEvent(1, START, "WorkflowStarted", "Flow", null, "{}", "a\uFFFD", List.of());

    assertThatThrownBy(() -> History.of(run, List.of(event)))
        .hasMessageContainingAll("event #1", "reprise history --json");
  }

  @Test
  void the_release_is_the_one_of_the_build() {
    assertThat(EngineVersion.number()).matches("\\d+[.]\\d+[.]\\d+.*");
  }

  // ---- what is wrong is told with its place

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "reprise-history"            | "other"                  | format: a history is a JSON object
          "formatVersion" : 1          | "formatVersion" : 2      | formatVersion: 2 is unknown
          "formatVersion" : 1          | "formatVersion" : "1"    | formatVersion: "1" is unknown
          "workflow" : "Flow",\\n  "workflowId" | "workflowId"    | workflow: it is missing
          "status" : "COMPLETED"       | "status" : "FINISHED"    | status: 'FINISHED' is unknown
          "status" : "COMPLETED"       | "status" : "RUNNING"     | status: RUNNING, but the last event is WorkflowCompleted
          "runId" : "00000000-0000-7000-8000-000000000001",\\n  "status" | "runId" : "7",\\n  "status" | runId: '7' is no UUID
          "workflowId" : "w",\\n  "runId" | "workflowId" : "v",\\n  "runId" | workflowId: 'v', but events[0] says 'w'
          "startedAt" : "2030          | "startedAt" : "the 2030  | startedAt: 'the 2030-01-01T00:00:00.123456Z' is no time
          "index" : 2                  | "index" : 3              | events[1].index: 3, but 2 comes here
          "index" : 2                  | "Index" : 2              | events[1].index: none, but 2 comes here
          "TimerScheduled"             | "TimerSet"               | events[1].type: 'TimerSet' is unknown to this release
          "id" : "sleep:1"             | "no" : "sleep:1"         | events[1].attributes: event without 'id'
          "type" : "SignalReceived"    | "type" : "WorkflowCompleted" | events[2]: there are events after the end
          "type" : "TimerScheduled"    | "type" : 5               | events[1].type: a string should be here, not 5
          "value" : 1                  | "valueBase64" : "?"      | events[2].valueBase64: no Base64
          "value" : 1                  | "valueText" : 1          | events[2].valueText: a string should be here
          "events" : [                 | "events" : [], "x" : [   | events: there must be an array
          "subject" : "sleep:1",       | "subject" : "sleep:1"    | line
          """)
  void a_wrong_place_is_named(String right, String wrong, String message) {
    var json = HistoryJson.write(history(bytes("\"tea\"")));
    var broken = json.replace(right.replace("\\n", "\n"), wrong.replace("\\n", "\n"));

    assertThat(broken).isNotEqualTo(json);
    assertThatThrownBy(() -> HistoryJson.read(broken))
        .isInstanceOf(UnreadableHistory.class)
        .hasMessageContaining("not a readable history: " + message);
  }

  @Test
  void text_that_is_no_json_is_told_with_line_and_column() {
    assertThatThrownBy(() -> HistoryJson.read("{\n  \"format\" ? 1 }"))
        .hasMessageContainingAll("line 2, column ", "no JSON");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "7", "{}"})
  void json_that_is_no_history_is_told_where_to_get_one(String json) {
    assertThatThrownBy(() -> HistoryJson.read(json))
        .hasMessageContaining("reprise history ID --json");
  }

  @Test
  void an_earlier_time_than_before_is_wrong() {
    var json = HistoryJson.write(history(Payload.none()));
    int last = json.lastIndexOf("\"recordedAt\" : \"2030");
    var broken = json.substring(0, last) + json.substring(last).replaceFirst("2030", "2029");

    assertThatThrownBy(() -> HistoryJson.read(broken))
        .hasMessageContaining("events[3].recordedAt: earlier");
  }

  @Test
  void a_history_begins_with_its_start() {
    var json =
        HistoryJson.write(history(Payload.none()))
            .replaceFirst("\"WorkflowStarted\"", "\"PatchMarked\"")
            .replaceFirst("\"attributes\" : \\{", "\"attributes\" : {\"change\" : \"c\",");

    assertThatThrownBy(() -> HistoryJson.read(json))
        .hasMessageContaining("events[0].type: a history begins with WorkflowStarted");
  }
}
