package dev.reprise.engine.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What a store keeps beside an event or an input, to notice when the disk or a hand changed it.
 *
 * <p>A CRC-32C: first the numbers, big-endian, then the bytes. The numbers include the run and the
 * index, so that a row in the wrong place is noticed too, and the lengths, so that a byte cannot
 * move from one column to the next. This is a format: stored checksums have to fit in later
 * releases.
 */
final class Checksum {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final int ABSENT = -1; // the length of a value that is null

  private Checksum() {}

  /**
   * The call site enters by its hash, which Java defines for all time and caches: encoding the text
   * again for each event would take longer than all the rest.
   */
  static int of(long run, EventRow event) {
    var attributes = event.attributes();
    var value = event.value();
    var head = new byte[36];
    LONG.set(head, 0, run);
    LONG.set(head, 8, micros(event.at()));
    INT.set(head, 16, event.index());
    INT.set(head, 20, event.type());
    INT.set(head, 24, hash(event.site()));
    INT.set(head, 28, attributes.length);
    INT.set(head, 32, value == null ? ABSENT : value.length);
    var crc = new CRC32C();
    crc.update(head, 0, head.length);
    crc.update(attributes, 0, attributes.length);
    if (value != null) crc.update(value, 0, value.length);
    return (int) crc.getValue();
  }

  /** Not of its id and its run: the store gives the one, and the other changes with a next run. */
  static int of(InputRow input) {
    var kind = input.kind().name().getBytes(StandardCharsets.UTF_8);
    var name = input.name().getBytes(StandardCharsets.UTF_8);
    var message = input.message().getBytes(StandardCharsets.UTF_8);
    var value = input.value();
    var head = new byte[24];
    LONG.set(head, 0, micros(input.acceptedAt()));
    INT.set(head, 8, kind.length);
    INT.set(head, 12, name.length);
    INT.set(head, 16, message.length);
    INT.set(head, 20, value.length);
    var crc = new CRC32C();
    crc.update(head, 0, head.length);
    crc.update(kind, 0, kind.length);
    crc.update(name, 0, name.length);
    crc.update(message, 0, message.length);
    crc.update(value, 0, value.length);
    return (int) crc.getValue();
  }

  private static int hash(@Nullable String text) {
    return text == null ? 0 : text.hashCode();
  }

  /** As databases keep it. Of times that none has, such as the year a million, any number does. */
  private static long micros(Instant at) {
    return at.getEpochSecond() * 1_000_000 + at.getNano() / 1_000;
  }
}
