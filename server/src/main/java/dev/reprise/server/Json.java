package dev.reprise.server;

import dev.reprise.FailureInfo;
import dev.reprise.HistoryEvent;
import dev.reprise.NodeDescription;
import dev.reprise.RunDescription;
import dev.reprise.Waiting;
import dev.reprise.engine.doctor.Examination;
import dev.reprise.engine.doctor.Finding;
import dev.reprise.engine.gate.GateReport;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** What the commands print for programs: complete, and in the same order. */
final class Json {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private Json() {}

  static String text(Object fields) {
    return MAPPER.writeValueAsString(fields);
  }

  /** What came of a command that was sent to a workflow. */
  static String sent(RunDescription run) {
    return MAPPER.writeValueAsString(run(run));
  }

  /** A run with what it waits for and what happened last. */
  static String description(RunDescription run, List<HistoryEvent> last) {
    var fields = run(run);
    fields.put("waitingFor", run.waitingFor().stream().map(Json::waiting).toList());
    fields.put("lastEvents", last.stream().map(Json::event).toList());
    return MAPPER.writeValueAsString(fields);
  }

  private static Map<String, @Nullable Object> waiting(Waiting waiting) {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    fields.put("kind", waiting.kind());
    fields.put("id", waiting.id());
    fields.put("what", waiting.what());
    fields.put("site", waiting.site());
    fields.put("due", waiting.due());
    fields.put("attempt", waiting.attempt());
    fields.put(
        "lastFailure", waiting.lastFailure() == null ? null : failure(waiting.lastFailure()));
    fields.put("note", waiting.note());
    return fields;
  }

  private static Map<String, @Nullable Object> failure(FailureInfo failure) {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    fields.put("type", failure.type());
    fields.put("message", failure.message());
    return fields;
  }

  private static Map<String, @Nullable Object> event(HistoryEvent event) {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    fields.put("index", event.index());
    fields.put("recordedAt", event.recordedAt());
    fields.put("type", event.type());
    fields.put("subject", event.subject());
    fields.put("site", event.callSite());
    fields.put("attributes", attributes(event));
    fields.put("value", event.value());
    fields.put("arguments", event.arguments());
    return fields;
  }

  static String forked(String workflowId, UUID runId) {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    fields.put("workflowId", workflowId);
    fields.put("runId", runId);
    return MAPPER.writeValueAsString(fields);
  }

  static String runs(List<RunDescription> runs) {
    return MAPPER.writeValueAsString(runs.stream().map(Json::run).toList());
  }

  private static Map<String, @Nullable Object> run(RunDescription run) {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    fields.put("workflowId", run.workflowId());
    fields.put("runId", run.runId());
    fields.put("workflow", run.workflow());
    fields.put("status", run.status());
    fields.put("startedAt", run.startedAt());
    fields.put("closedAt", run.closedAt());
    fields.put("blockedBy", run.blockedBy());
    fields.put("owner", run.owner());
    fields.put("parent", run.parent());
    fields.put("attributes", new TreeMap<>(run.attributes()));
    return fields;
  }

  static String counts(Map<String, Long> counts) {
    return MAPPER.writeValueAsString(counts);
  }

  static String nodes(List<NodeDescription> nodes) {
    return MAPPER.writeValueAsString(nodes.stream().map(Json::node).toList());
  }

  private static Map<String, @Nullable Object> node(NodeDescription node) {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    fields.put("id", node.id());
    fields.put("host", node.host());
    fields.put("client", node.client());
    fields.put("state", node.state());
    fields.put("joinedAt", node.joinedAt());
    fields.put("leaseUntil", node.leaseUntil().equals(Instant.MAX) ? null : node.leaseUntil());
    fields.put("runs", node.runs());
    return fields;
  }

  static String examination(Examination examined, Duration took) {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    fields.put("runs", examined.runs());
    fields.put("events", examined.events());
    fields.put("inputs", examined.inputs());
    fields.put("nodes", examined.nodes());
    fields.put("seconds", took.toMillis() / 1_000.0);
    fields.put("errors", examined.errors());
    fields.put("warnings", examined.warnings());
    fields.put("findings", examined.findings().stream().map(Json::finding).toList());
    return MAPPER.writeValueAsString(fields);
  }

  private static Map<String, @Nullable Object> finding(Finding finding) {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    fields.put("severity", finding.severity());
    fields.put("check", finding.check().label());
    fields.put("workflowId", finding.workflowId());
    fields.put("run", finding.run());
    fields.put("what", finding.what());
    return fields;
  }

  static String report(GateReport report) {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    fields.put("follows", report.follows());
    fields.put("complete", report.isComplete());
    fields.put("checked", report.checked());
    fields.put("workflows", report.workflows());
    return MAPPER.writeValueAsString(fields);
  }

  /** What was recorded beside the value. */
  static JsonNode attributes(HistoryEvent event) {
    return MAPPER.readTree(event.attributes());
  }
}
