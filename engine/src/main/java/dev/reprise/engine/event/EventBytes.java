package dev.reprise.engine.event;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** An event as the value of an input: how one run, or a worker, tells another of something. */
public final class EventBytes {
  private static final int HEADER = Integer.BYTES + Byte.BYTES; // length of the attributes, type

  private EventBytes() {}

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
