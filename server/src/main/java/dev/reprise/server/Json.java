package dev.reprise.server;

import dev.reprise.HistoryEvent;
import dev.reprise.NodeDescription;
import dev.reprise.RunDescription;
import dev.reprise.engine.doctor.Examination;
import dev.reprise.engine.doctor.Finding;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** What the commands print for programs: complete, and in the same order. */
final class Json {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private Json() {}

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
    return fields;
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

  /** What was recorded beside the value. */
  static JsonNode attributes(HistoryEvent event) {
    return MAPPER.readTree(event.attributes());
  }
}
