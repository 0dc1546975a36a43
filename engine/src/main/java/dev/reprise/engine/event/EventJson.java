package dev.reprise.engine.event;

import dev.reprise.FailureInfo;
import dev.reprise.engine.event.Event.ActivityCompleted;
import dev.reprise.engine.event.Event.ActivityFailed;
import dev.reprise.engine.event.Event.ActivityRetryScheduled;
import dev.reprise.engine.event.Event.Call;
import dev.reprise.engine.event.Event.PatchMarked;
import dev.reprise.engine.event.Event.SignalReceived;
import dev.reprise.engine.event.Event.TimerCancelled;
import dev.reprise.engine.event.Event.TimerFired;
import dev.reprise.engine.event.Event.TimerScheduled;
import dev.reprise.engine.event.Event.WaitTimedOut;
import dev.reprise.engine.event.Event.WorkflowCancelRequested;
import dev.reprise.engine.event.Event.WorkflowCancelled;
import dev.reprise.engine.event.Event.WorkflowCompleted;
import dev.reprise.engine.event.Event.WorkflowFailed;
import dev.reprise.engine.event.Event.WorkflowStarted;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.util.ByteArrayBuilder;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes an event's attributes as a small JSON object, and reads them back.
 *
 * <p>The user's value is not in it: it has a column of its own, so that it is copied and not
 * parsed, and a codec may write what it likes. Attributes that say nothing are left out. The format
 * is a promise: what any release wrote, every later one reads.
 */
public final class EventJson {
  private static final JsonMapper JSON = JsonMapper.shared();

  private EventJson() {}

  /** The attributes of an event. */
  public static byte[] write(Event event) {
    var out = new ByteArrayBuilder(128);
    try (var json = JSON.createGenerator(out)) {
      json.writeStartObject();
      attributes(event, json);
      json.writeEndObject();
    }
    return out.toByteArray();
  }

  private static void attributes(Event event, JsonGenerator json) {
    switch (event) {
      case WorkflowStarted e -> {
        json.writeStringProperty("workflow", e.workflow());
        json.writeStringProperty("workflowId", e.workflowId());
        json.writeStringProperty("runId", e.runId().toString());
      }
      case ActivityCompleted e -> {
        call(e.call(), json);
        if (e.attempts() > 1) json.writeNumberProperty("attempts", e.attempts());
      }
      case ActivityFailed e -> {
        call(e.call(), json);
        json.writeNumberProperty("attempts", e.attempts());
        failure("failure", e.failure(), json);
      }
      case ActivityRetryScheduled e -> {
        call(e.call(), json);
        json.writeNumberProperty("attempt", e.attempt());
        json.writeStringProperty("due", e.due().toString());
        failure("failure", e.failure(), json);
      }
      case TimerScheduled(var id, var due) -> timed(id, due, json);
      case TimerFired(var id) -> json.writeStringProperty("id", id);
      case TimerCancelled(var id) -> json.writeStringProperty("id", id);
      case SignalReceived e -> {
        json.writeStringProperty("signal", e.signal());
        if (e.message() != null) json.writeStringProperty("message", e.message());
      }
      case WorkflowCancelRequested(var requester, var reason) -> {
        json.writeStringProperty("requester", requester);
        json.writeStringProperty("reason", reason);
      }
      case WaitTimedOut(var id, var due) -> timed(id, due, json);
      case PatchMarked(var change) -> json.writeStringProperty("change", change);
      case WorkflowCompleted _ -> {}
      case WorkflowFailed(var failure) -> failure("failure", failure, json);
      case WorkflowCancelled(var reason) -> json.writeStringProperty("reason", reason);
    }
  }

  private static void timed(String id, Instant due, JsonGenerator json) {
    json.writeStringProperty("id", id);
    json.writeStringProperty("due", due.toString());
  }

  /** The name of a call with an automatic id is the part ahead of the counter. */
  private static void call(Call call, JsonGenerator json) {
    json.writeStringProperty("id", call.id());
    if (!call.name().equals(nameIn(call.id()))) json.writeStringProperty("name", call.name());
    if (!call.digest().isEmpty()) json.writeStringProperty("digest", call.digest());
  }

  private static String nameIn(String id) {
    int colon = id.lastIndexOf(':');
    return colon < 0 ? id : id.substring(0, colon);
  }

  private static void failure(String name, FailureInfo failure, JsonGenerator json) {
    json.writeObjectPropertyStart(name);
    json.writeStringProperty("type", failure.type());
    if (failure.message() != null) json.writeStringProperty("message", failure.message());
    if (failure.details() != null) json.writeStringProperty("details", failure.details());
    if (failure.stackTrace() != null) json.writeStringProperty("stack", failure.stackTrace());
    if (failure.cause() != null) failure("cause", failure.cause(), json);
    json.writeEndObject();
  }

  /** The event of that type with these attributes and that value. */
  public static Event read(EventType type, byte[] attributes, @Nullable Payload value) {
    var json = JSON.readTree(attributes);
    var payload = value == null ? Payload.none() : value;
    return switch (type) {
      case WORKFLOW_STARTED ->
          new WorkflowStarted(
              text(json, "workflow"),
              text(json, "workflowId"),
              UUID.fromString(text(json, "runId")),
              payload);
      case ACTIVITY_COMPLETED ->
          new ActivityCompleted(call(json), json.path("attempts").asInt(1), payload);
      case ACTIVITY_FAILED ->
          new ActivityFailed(call(json), json.path("attempts").asInt(1), failure(json));
      case ACTIVITY_RETRY_SCHEDULED ->
          new ActivityRetryScheduled(
              call(json), json.path("attempt").asInt(1), failure(json), instant(json));
      case TIMER_SCHEDULED -> new TimerScheduled(text(json, "id"), instant(json));
      case TIMER_FIRED -> new TimerFired(text(json, "id"));
      case TIMER_CANCELLED -> new TimerCancelled(text(json, "id"));
      case SIGNAL_RECEIVED ->
          new SignalReceived(text(json, "signal"), payload, optional(json, "message"));
      case WAIT_TIMED_OUT -> new WaitTimedOut(text(json, "id"), instant(json));
      case PATCH_MARKED -> new PatchMarked(text(json, "change"));
      case WORKFLOW_COMPLETED -> new WorkflowCompleted(payload);
      case WORKFLOW_FAILED -> new WorkflowFailed(failure(json));
      case WORKFLOW_CANCEL_REQUESTED ->
          new WorkflowCancelRequested(text(json, "requester"), text(json, "reason"));
      case WORKFLOW_CANCELLED -> new WorkflowCancelled(text(json, "reason"));
    };
  }

  private static Call call(JsonNode json) {
    var id = text(json, "id");
    return new Call(id, json.path("name").asString(nameIn(id)), json.path("digest").asString(""));
  }

  private static FailureInfo failure(JsonNode json) {
    return failureIn(json.path("failure"));
  }

  private static FailureInfo failureIn(JsonNode json) {
    return new FailureInfo(
        text(json, "type"),
        optional(json, "message"),
        optional(json, "details"),
        optional(json, "stack"),
        json.has("cause") ? failureIn(json.path("cause")) : null);
  }

  private static Instant instant(JsonNode json) {
    return Instant.parse(text(json, "due"));
  }

  private static @Nullable String optional(JsonNode json, String name) {
    return json.has(name) ? text(json, name) : null;
  }

  private static String text(JsonNode json, String name) {
    var node = json.get(name);
    if (node == null) throw new IllegalArgumentException("event without '" + name + "': " + json);
    return node.asString();
  }
}
