package dev.reprise.engine.codec;

import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * Turns values into bytes and back.
 *
 * <p>Equal values must give equal bytes, in this process and in the next: replay compares digests
 * of arguments. What was written once must stay readable, or the runs that hold it are blocked.
 * Safe for use by many threads. Failures are exceptions of any kind; the engine names the value.
 */
public interface Codec {

  /** The bytes of a value that is declared with that type. */
  byte[] encode(@Nullable Object value, Type type) throws Exception;

  /** The value of the bytes, as that type. */
  @Nullable Object decode(byte[] bytes, Type type) throws Exception;
}
