package dev.reprise.engine.event;

import dev.reprise.ErrorCode;
import dev.reprise.FailureInfo;
import dev.reprise.ParentClose;
import dev.reprise.Status;
import dev.reprise.engine.event.Event.ActivityCancelRequested;
import dev.reprise.engine.event.Event.ActivityCancelled;
import dev.reprise.engine.event.Event.ActivityCompleted;
import dev.reprise.engine.event.Event.ActivityFailed;
import dev.reprise.engine.event.Event.ActivityRetryScheduled;
import dev.reprise.engine.event.Event.ActivityScheduled;
import dev.reprise.engine.event.Event.AttributeChanged;
import dev.reprise.engine.event.Event.Call;
import dev.reprise.engine.event.Event.ChildCompleted;
import dev.reprise.engine.event.Event.ChildFailed;
import dev.reprise.engine.event.Event.ChildStarted;
import dev.reprise.engine.event.Event.CompensationCompleted;
import dev.reprise.engine.event.Event.CompensationFailed;
import dev.reprise.engine.event.Event.CompensationRegistered;
import dev.reprise.engine.event.Event.CompensationsStarted;
import dev.reprise.engine.event.Event.LoopSnapshot;
import dev.reprise.engine.event.Event.MessageSent;
import dev.reprise.engine.event.Event.PatchMarked;
import dev.reprise.engine.event.Event.SignalReceived;
import dev.reprise.engine.event.Event.TimeLimitReached;
import dev.reprise.engine.event.Event.TimerCancelled;
import dev.reprise.engine.event.Event.TimerFired;
import dev.reprise.engine.event.Event.TimerScheduled;
import dev.reprise.engine.event.Event.UpdateCompleted;
import dev.reprise.engine.event.Event.UpdateFailed;
import dev.reprise.engine.event.Event.UpdateReceived;
import dev.reprise.engine.event.Event.UpdateRefused;
import dev.reprise.engine.event.Event.ValuePublished;
import dev.reprise.engine.event.Event.WaitTimedOut;
import dev.reprise.engine.event.Event.WorkflowCancelRequested;
import dev.reprise.engine.event.Event.WorkflowCancelled;
import dev.reprise.engine.event.Event.WorkflowCompleted;
import dev.reprise.engine.event.Event.WorkflowContinuedAsNew;
import dev.reprise.engine.event.Event.WorkflowFailed;
import dev.reprise.engine.event.Event.WorkflowResumed;
import dev.reprise.engine.event.Event.WorkflowStarted;
import dev.reprise.engine.event.Event.WorkflowTakenUp;
import dev.reprise.engine.event.Event.WorkflowTerminated;
import dev.reprise.engine.event.Event.WorkflowTimedOut;
import java.time.Duration;
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
    var plain = event instanceof ActivityCompleted done ? PlainJson.write(done) : null;
    return plain == null ? writeAny(event) : plain;
  }

  static byte[] writeAny(Event event) {
    var out = new ByteArrayBuilder(128);
    try (var json = JSON.createGenerator(out)) {
      json.writeStartObject();
      attributes(event, json);
      CallJson.writeArguments(event, json);
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
        OriginJson.write(e.origin(), json);
      }
      case ActivityCompleted e -> {
        CallJson.write(e.call(), json);
        if (e.attempts() > 1) json.writeNumberProperty("attempts", e.attempts());
      }
      case ActivityFailed e -> {
        CallJson.write(e.call(), json);
        json.writeNumberProperty("attempts", e.attempts());
        failure("failure", e.failure(), json);
      }
      case ActivityRetryScheduled e -> {
        CallJson.write(e.call(), json);
        json.writeNumberProperty("attempt", e.attempt());
        json.writeStringProperty("due", e.due().toString());
        failure("failure", e.failure(), json);
      }
      case ActivityCancelled(var call, var attempts) -> counted(call, attempts, json);
      case ActivityScheduled e -> {
        CallJson.write(e.call(), json);
        QueueingJson.write(e.queueing(), json);
        CallJson.lengths(e.lengths(), json);
        json.writeStringProperty("result", e.result());
        json.writeStringProperty("secret", Long.toHexString(e.secret()));
      }
      case ActivityCancelRequested(var id) -> json.writeStringProperty("id", id);
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
      case CompensationRegistered e -> {
        CallJson.write(e.call(), json);
        CallJson.lengths(e.lengths(), json);
        if (e.retry() != null) RetryJson.write(e.retry(), json);
        if (e.timeout() != null) json.writeStringProperty("timeout", e.timeout().toString());
      }
      case CompensationsStarted(var status, var requester, var reason, var failure) -> {
        json.writeStringProperty("status", status.name());
        if (!requester.isEmpty()) json.writeStringProperty("requester", requester);
        if (!reason.isEmpty()) json.writeStringProperty("reason", reason);
        if (failure != null) failure("failure", failure, json);
      }
      case CompensationCompleted(var call, var attempts) -> counted(call, attempts, json);
      case CompensationFailed(var call, var attempts, var failure) -> {
        counted(call, attempts, json);
        failure("failure", failure, json);
      }
      case ChildStarted e -> {
        json.writeStringProperty("id", e.id());
        json.writeStringProperty("workflow", e.workflow());
        json.writeStringProperty("workflowId", e.workflowId());
        json.writeStringProperty("onParentClose", e.onParentClose().name());
        if (e.timeout() != null) json.writeStringProperty("timeout", e.timeout().toString());
      }
      case ChildCompleted(var id, _) -> json.writeStringProperty("id", id);
      case ChildFailed(var id, var status, var failure) -> {
        json.writeStringProperty("id", id);
        json.writeStringProperty("status", status.name());
        failure("failure", failure, json);
      }
      case MessageSent e -> {
        json.writeStringProperty("id", e.id());
        json.writeStringProperty("workflowId", e.workflowId());
        json.writeStringProperty("kind", e.kind().name());
        json.writeStringProperty("name", e.name());
      }
      case UpdateReceived(var update, var message, _) -> {
        json.writeStringProperty("update", update);
        json.writeStringProperty("message", message);
      }
      case UpdateCompleted(var message, _, var update) -> {
        json.writeStringProperty("message", message);
        if (update != null) json.writeStringProperty("update", update);
      }
      case UpdateFailed(var message, var failure, var update) -> {
        json.writeStringProperty("message", message);
        if (update != null) json.writeStringProperty("update", update);
        failure("failure", failure, json);
      }
      case UpdateRefused(var update, var message, var code, var reason) -> {
        json.writeStringProperty("update", update);
        json.writeStringProperty("message", message);
        json.writeStringProperty("code", code.name());
        json.writeStringProperty("reason", reason);
      }
      case ValuePublished(var key, _) -> json.writeStringProperty("key", key);
      case AttributeChanged(var name, var value) -> {
        json.writeStringProperty("name", name);
        if (value != null) json.writePOJOProperty("value", value);
      }
      case LoopSnapshot(var id, var carried, _) -> {
        json.writeStringProperty("id", id);
        json.writeNumberProperty("carried", carried);
      }
      case TimeLimitReached(var due) -> json.writeStringProperty("due", due.toString());
      case WorkflowResumed(var requester, var hash) -> {
        json.writeStringProperty("requester", requester);
        if (hash != null) json.writeStringProperty("hash", hash);
      }
      case WorkflowTakenUp(var hash) -> json.writeStringProperty("hash", hash);
      case WorkflowTimedOut(var reason) -> json.writeStringProperty("reason", reason);
      case WorkflowTerminated(var requester, var reason) -> {
        json.writeStringProperty("requester", requester);
        json.writeStringProperty("reason", reason);
      }
      case WorkflowContinuedAsNew(var next) -> json.writeStringProperty("next", next.toString());
      case WorkflowCompleted _ -> {}
      case WorkflowFailed(var failure) -> failure("failure", failure, json);
      case WorkflowCancelled(var reason) -> json.writeStringProperty("reason", reason);
    }
  }

  private static void counted(Call call, int attempts, JsonGenerator json) {
    CallJson.write(call, json);
    json.writeNumberProperty("attempts", attempts);
  }

  private static void timed(String id, Instant due, JsonGenerator json) {
    json.writeStringProperty("id", id);
    json.writeStringProperty("due", due.toString());
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
    var payload = value == null ? Payload.none() : value;
    var plain = type == EventType.ACTIVITY_COMPLETED ? PlainJson.read(attributes) : null;
    return plain == null
        ? readAny(type, attributes, payload)
        : new ActivityCompleted(plain, 1, payload);
  }

  static Event readAny(EventType type, byte[] attributes, Payload payload) {
    var json = JSON.readTree(attributes);
    return switch (type) {
      case WORKFLOW_STARTED ->
          new WorkflowStarted(
              text(json, "workflow"),
              text(json, "workflowId"),
              UUID.fromString(text(json, "runId")),
              payload,
              OriginJson.read(json));
      case ACTIVITY_COMPLETED ->
          new ActivityCompleted(
              CallJson.read(attributes, json), json.path("attempts").asInt(1), payload);
      case ACTIVITY_FAILED ->
          new ActivityFailed(
              CallJson.read(attributes, json), json.path("attempts").asInt(1), failure(json));
      case ACTIVITY_RETRY_SCHEDULED ->
          new ActivityRetryScheduled(
              CallJson.read(attributes, json),
              json.path("attempt").asInt(1),
              failure(json),
              instant(json));
      case ACTIVITY_CANCELLED ->
          new ActivityCancelled(CallJson.read(attributes, json), attempts(json));
      case ACTIVITY_SCHEDULED ->
          new ActivityScheduled(
              CallJson.read(attributes, json),
              QueueingJson.read(json),
              payload,
              CallJson.lengths(json),
              text(json, "result"),
              Long.parseUnsignedLong(text(json, "secret"), 16));
      case ACTIVITY_CANCEL_REQUESTED -> new ActivityCancelRequested(text(json, "id"));
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
      case COMPENSATION_REGISTERED ->
          new CompensationRegistered(
              CallJson.read(attributes, json),
              payload,
              CallJson.lengths(json),
              RetryJson.read(json),
              timeout(json));
      case COMPENSATIONS_STARTED ->
          new CompensationsStarted(
              status(json),
              json.path("requester").asString(""),
              json.path("reason").asString(""),
              json.has("failure") ? failure(json) : null);
      case COMPENSATION_COMPLETED ->
          new CompensationCompleted(CallJson.read(attributes, json), attempts(json));
      case COMPENSATION_FAILED ->
          new CompensationFailed(CallJson.read(attributes, json), attempts(json), failure(json));
      case CHILD_STARTED ->
          new ChildStarted(
              text(json, "id"),
              text(json, "workflow"),
              text(json, "workflowId"),
              ParentClose.valueOf(text(json, "onParentClose")),
              timeout(json),
              payload);
      case CHILD_COMPLETED -> new ChildCompleted(text(json, "id"), payload);
      case CHILD_FAILED -> new ChildFailed(text(json, "id"), status(json), failure(json));
      case MESSAGE_SENT ->
          new MessageSent(
              text(json, "id"),
              text(json, "workflowId"),
              Event.Sent.valueOf(text(json, "kind")),
              text(json, "name"),
              payload);
      case UPDATE_RECEIVED ->
          new UpdateReceived(text(json, "update"), text(json, "message"), payload);
      case UPDATE_COMPLETED ->
          new UpdateCompleted(text(json, "message"), payload, optional(json, "update"));
      case UPDATE_FAILED ->
          new UpdateFailed(text(json, "message"), failure(json), optional(json, "update"));
      case UPDATE_REFUSED ->
          new UpdateRefused(
              text(json, "update"),
              text(json, "message"),
              ErrorCode.valueOf(text(json, "code")),
              text(json, "reason"));
      case VALUE_PUBLISHED -> new ValuePublished(text(json, "key"), payload);
      case ATTRIBUTE_CHANGED ->
          new AttributeChanged(text(json, "name"), OriginJson.attribute(json.get("value")));
      case LOOP_SNAPSHOT ->
          new LoopSnapshot(text(json, "id"), json.path("carried").asInt(0), payload);
      case TIME_LIMIT_REACHED -> new TimeLimitReached(instant(json));
      case WORKFLOW_RESUMED -> new WorkflowResumed(text(json, "requester"), optional(json, "hash"));
      case WORKFLOW_TAKEN_UP -> new WorkflowTakenUp(text(json, "hash"));
      case WORKFLOW_TIMED_OUT -> new WorkflowTimedOut(text(json, "reason"));
      case WORKFLOW_TERMINATED ->
          new WorkflowTerminated(text(json, "requester"), text(json, "reason"));
      case WORKFLOW_CONTINUED_AS_NEW ->
          new WorkflowContinuedAsNew(UUID.fromString(text(json, "next")));
    };
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

  private static int attempts(JsonNode json) {
    return json.path("attempts").asInt(1);
  }

  private static Status status(JsonNode json) {
    return Status.valueOf(text(json, "status"));
  }

  private static @Nullable Duration timeout(JsonNode json) {
    return json.has("timeout") ? Duration.parse(text(json, "timeout")) : null;
  }

  private static Instant instant(JsonNode json) {
    return Instant.parse(text(json, "due"));
  }

  static @Nullable String optional(JsonNode json, String name) {
    return json.has(name) ? text(json, name) : null;
  }

  static String text(JsonNode json, String name) {
    var node = json.get(name);
    if (node == null) throw new IllegalArgumentException("event without '" + name + "': " + json);
    return node.asString();
  }
}
