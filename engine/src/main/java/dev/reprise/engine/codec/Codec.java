package dev.reprise.engine.codec;

import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * Turns values into bytes and back.
 *
 * <p>Equal values must give equal bytes, in this process and in the next: replay compares digests
 * of arguments. What was written once must stay readable, or the runs that hold it are blocked.
 * Safe for use by many threads. Failures are exceptions of any kind; the engine names the value.
 *
 * <p>A codec of your own needs {@link #encode} and {@link #decode}; the other methods have
 * defaults.
 */
public interface Codec {

  /**
   * The bytes of a value that is declared with that type. Refuses a value that {@link #decode}
   * would not give back.
   */
  byte[] encode(@Nullable Object value, Type type) throws Exception;

  /** The value of the bytes, as that type. Members that the type does not have are ignored. */
  @Nullable Object decode(byte[] bytes, Type type) throws Exception;

  /**
   * Refuses a type whose values cannot come back as they were, as far as the type alone shows it.
   * Asked when a workflow is registered, and before an activity begins.
   */
  default void check(Type type) throws Exception {}

  /**
   * The bytes of a value of which only its reader knows the declared type, such as an argument that
   * is compared by digest, or one of an activity called by name.
   */
  default byte[] write(@Nullable Object value) throws Exception {
    return encode(value, value == null ? Object.class : value.getClass());
  }

  /**
   * The value of bytes that a person may have written, as that type: a member that the type does
   * not have is refused, because it is likely to be a typing error.
   */
  default @Nullable Object receive(byte[] bytes, Type type) throws Exception {
    return decode(bytes, type);
  }
}
