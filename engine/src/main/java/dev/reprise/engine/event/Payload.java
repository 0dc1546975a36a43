package dev.reprise.engine.event;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * User data as the codec wrote it. The engine stores and returns the bytes and never looks inside.
 */
public final class Payload {
  private static final Payload NULL = new Payload("null".getBytes(StandardCharsets.UTF_8));

  private final byte[] bytes;

  private Payload(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Wraps the bytes, which nobody may change any more. */
  public static Payload of(byte[] bytes) {
    return new Payload(bytes);
  }

  /** The JSON null: the result of an activity or a workflow that has none. */
  public static Payload none() {
    return NULL;
  }

  /** The bytes themselves, not a copy: read only. */
  public byte[] bytes() {
    return bytes;
  }

  /** How many bytes. */
  public int size() {
    return bytes.length;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Payload payload && Arrays.equals(bytes, payload.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** The bytes as text, for people. */
  @Override
  public String toString() {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
