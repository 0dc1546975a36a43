package dev.reprise.engine.task;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.engine.store.TaskRef;
import java.nio.ByteBuffer;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * By what an attempt of an activity is known outside.
 *
 * @param secret what nobody can guess, as it is in the event that asked for the activity
 */
public record TaskToken(TaskRef ref, int attempt, long secret) {
  private static final int SIZE = 2 * Long.BYTES + 2 * Integer.BYTES;
  private static final String PREFIX = "task-";

  /**
   * @throws RepriseException {@code R133} if it is none
   */
  public static TaskToken parse(@Nullable String text) {
    if (text == null) throw unknown();
    try {
      if (!text.startsWith(PREFIX)) throw unknown();
      var bytes = Base64.getUrlDecoder().decode(text.substring(PREFIX.length()));
      if (bytes.length != SIZE) throw unknown();
      var in = ByteBuffer.wrap(bytes);
      return new TaskToken(new TaskRef(in.getLong(), in.getInt()), in.getInt(), in.getLong());
    } catch (IllegalArgumentException notBase64) {
      throw unknown();
    }
  }

  /** There is no task with such a token. */
  public static RepriseException unknown() {
    return new RepriseException(
        ErrorCode.R133,
        "this is not the token of an activity that can be completed here: it is what"
            + " ActivityContext.completeLater() returned, unchanged, and belongs to this database");
  }

  @Override
  public String toString() {
    var bytes =
        ByteBuffer.allocate(SIZE)
            .putLong(ref.run())
            .putInt(ref.index())
            .putInt(attempt)
            .putLong(secret)
            .array();
    return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
