package dev.reprise.engine.codec;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.engine.event.Event.Call;
import dev.reprise.engine.event.KeptArguments;
import dev.reprise.engine.event.Payload;
import java.lang.reflect.Type;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The engine's use of a codec: with a limit, and with errors that say which value it was. */
public final class Values {
  /** Larger values belong in a blob store, with their address in the history. */
  public static final int MAX_PAYLOAD = 2 << 20;

  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private final Codec codec;
  private final int keptArguments;

  /** Of which as many bytes of arguments are kept as usual. */
  public Values(Codec codec) {
    this(codec, KeptArguments.LIMIT);
  }

  /**
   * A use of this codec.
   *
   * @param keptArguments how many bytes of the arguments of an inline call are kept
   */
  public Values(Codec codec, int keptArguments) {
    this.codec = codec;
    this.keptArguments = keptArguments;
  }

  /**
   * The payload of a value.
   *
   * @param what names the value in errors, such as {@code "the result of Payments.charge:1"}
   */
  public Payload encode(@Nullable Object value, Type type, String what) {
    if (type == void.class || type == Void.class) return Payload.none();
    return payload(bytes(value, type, what), what);
  }

  /** The payload of a value of which only the reader knows the declared type. */
  public Payload encode(@Nullable Object value, String what) {
    return payload(bytes(value, what), what);
  }

  private static Payload payload(byte[] bytes, String what) {
    if (bytes.length > MAX_PAYLOAD) {
      throw new RepriseException(
          ErrorCode.R106,
          "%s has %,d bytes, the limit is %,d: keep it elsewhere and pass its address"
              .formatted(what, bytes.length, MAX_PAYLOAD));
    }
    return Payload.of(bytes);
  }

  private byte[] bytes(@Nullable Object value, Type type, String what) {
    try {
      return codec.encode(value, type);
    } catch (Exception | StackOverflowError | LinkageError e) {
      throw unwritable(e, type, what);
    }
  }

  private byte[] bytes(@Nullable Object value, String what) {
    try {
      return codec.write(value);
    } catch (Exception | StackOverflowError | LinkageError e) {
      throw unwritable(e, value == null ? Object.class : value.getClass(), what);
    }
  }

  private static RepriseException unwritable(Throwable e, Type type, String what) {
    return new RepriseException(
        ErrorCode.R107,
        "%s cannot be written as %s: %s".formatted(what, type.getTypeName(), e.getMessage()),
        e);
  }

  /**
   * Refuses a type whose values would not come back as they were.
   *
   * @throws RepriseException {@code R107} with the path of the member
   */
  public void check(Type type, String what) {
    if (type == void.class || type == Void.class) return;
    try {
      codec.check(type);
    } catch (Exception | StackOverflowError | LinkageError e) {
      throw unwritable(e, type, what);
    }
  }

  /** The value of a payload that this engine wrote, now or in an earlier version. */
  public @Nullable Object decode(Payload payload, Type type, String what) {
    if (type == void.class || type == Void.class) return null;
    try {
      return codec.decode(payload.bytes(), type);
    } catch (Exception | StackOverflowError | LinkageError e) {
      throw unreadable(e, type, what);
    }
  }

  /** The value of a payload that a person may have written: it has no members but those known. */
  public @Nullable Object receive(Payload payload, Type type, String what) {
    if (type == void.class || type == Void.class) return null;
    try {
      return codec.receive(payload.bytes(), type);
    } catch (Exception | StackOverflowError | LinkageError e) {
      throw unreadable(e, type, what);
    }
  }

  private static RepriseException unreadable(Throwable e, Type type, String what) {
    return new RepriseException(
        ErrorCode.R108,
        "%s cannot be read as %s: %s".formatted(what, type.getTypeName(), e.getMessage()),
        e);
  }

  /**
   * The value as it will be after a replay. Workflow code is given this one in the first place, so
   * that it sees the same before and after a crash; a value that cannot change on the way is given
   * as it is.
   */
  public @Nullable Object asReplayed(
      @Nullable Object value, Payload payload, Type type, String what) {
    return isPlain(value, type) ? value : decode(payload, type, what);
  }

  private static boolean isPlain(@Nullable Object value, Type type) {
    return switch (value) {
      case null -> false;
      case String _ -> type == String.class;
      case Integer _ -> type == Integer.class || type == int.class;
      case Long _ -> type == Long.class || type == long.class;
      case Boolean _ -> type == Boolean.class || type == boolean.class;
      case UUID _ -> type == UUID.class;
      default -> false;
    };
  }

  /** A digest of arguments, by which replay notices that other ones are passed; empty for none. */
  public String digest(String what, @Nullable Object... arguments) {
    return arguments.length == 0 ? "" : digest(encoded(what, arguments));
  }

  /** An inline call with these arguments, of which it has the digest and as much as is kept. */
  public Call call(String id, String name, @Nullable Object... arguments) {
    if (arguments.length == 0) return new Call(id, name, "");
    var encoded = encoded(id, arguments);
    return new Call(id, name, digest(encoded), KeptArguments.of(encoded, keptArguments));
  }

  private byte[][] encoded(String what, @Nullable Object[] arguments) {
    var encoded = new byte[arguments.length][];
    for (int i = 0; i < arguments.length; i++) {
      encoded[i] = bytes(arguments[i], "an argument of " + what);
    }
    return encoded;
  }

  private static String digest(byte[][] encoded) {
    long hash = FNV_OFFSET;
    for (var argument : encoded) {
      for (byte b : argument) hash = (hash ^ (b & 0xff)) * FNV_PRIME;
      hash = (hash ^ ',') * FNV_PRIME;
    }
    return Long.toHexString(hash);
  }
}
