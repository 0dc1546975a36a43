package dev.reprise.engine.event;

import dev.reprise.FailureInfo;
import dev.reprise.Status;
import dev.reprise.WorkflowCancelled;
import dev.reprise.WorkflowTerminated;
import dev.reprise.WorkflowTimedOut;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** How a child tells its parent of its end: the bytes of an input. */
public final class ChildReport {
  private static final int HEADER = Integer.BYTES + Byte.BYTES; // length of the attributes, type

  private ChildReport() {}

  /** The parent's event of a child's last one; null if the child goes on with another run. */
  public static @Nullable Event of(String childId, Event terminal) {
    return switch (terminal) {
      case Event.WorkflowCompleted(var result) -> new Event.ChildCompleted(childId, result);
      case Event.WorkflowFailed(var failure) ->
          new Event.ChildFailed(childId, Status.FAILED, failure);
      case Event.WorkflowCancelled(var reason) ->
          ended(childId, Status.CANCELLED, WorkflowCancelled.class, reason);
      case Event.WorkflowTimedOut(var reason) ->
          ended(childId, Status.TIMED_OUT, WorkflowTimedOut.class, reason);
      case Event.WorkflowTerminated(_, var reason) ->
          ended(childId, Status.TERMINATED, WorkflowTerminated.class, reason);
      default -> null;
    };
  }

  private static Event ended(String childId, Status status, Class<?> type, String reason) {
    var failure = new FailureInfo(type.getName(), reason, null, null, null);
    return new Event.ChildFailed(childId, status, failure);
  }

  /** The event as bytes. */
  public static byte[] write(Event event) {
    var attributes = EventJson.write(event);
    var payload = event.payload();
    var value = payload == null ? new byte[0] : payload.bytes();
    return ByteBuffer.allocate(HEADER + attributes.length + value.length)
        .putInt(attributes.length)
        .put((byte) EventType.of(event).code())
        .put(attributes)
        .put(value)
        .array();
  }

  /** The event of these bytes. */
  public static Event read(byte[] bytes) {
    var in = ByteBuffer.wrap(bytes);
    int length = in.getInt();
    var type = EventType.of(in.get());
    int end = HEADER + length;
    var value = Payload.of(Arrays.copyOfRange(bytes, end, bytes.length));
    return EventJson.read(type, Arrays.copyOfRange(bytes, HEADER, end), value);
  }
}
