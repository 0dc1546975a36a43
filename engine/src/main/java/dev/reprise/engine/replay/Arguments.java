package dev.reprise.engine.replay;

import dev.reprise.engine.codec.Values;
import dev.reprise.engine.event.Payload;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Arguments of an activity that is called later, one behind the other.
 *
 * @param lengths of each
 */
public record Arguments(Payload bytes, List<Integer> lengths) {

  /**
   * @param types as the activity declares them; if none are known, those of the values
   */
  static Arguments pack(Values values, String id, List<Type> types, @Nullable Object[] arguments) {
    var bytes = new ByteArrayOutputStream();
    var lengths = new ArrayList<Integer>();
    for (int i = 0; i < arguments.length; i++) {
      var type = i < types.size() && !(types.get(i) instanceof TypeVariable) ? types.get(i) : null;
      var what = "an argument of " + id;
      var payload =
          type == null
              ? values.encode(arguments[i], what)
              : values.encode(arguments[i], type, what);
      bytes.writeBytes(payload.bytes());
      lengths.add(payload.size());
    }
    return new Arguments(Payload.of(bytes.toByteArray()), lengths);
  }

  /** As the activity declares them. */
  public @Nullable Object[] unpack(Values values, String id, List<Type> types) {
    if (types.size() != lengths.size()) {
      throw new IllegalStateException(
          "%s was remembered with %d arguments, the activity takes %d"
              .formatted(id, lengths.size(), types.size()));
    }
    var arguments = new @Nullable Object[types.size()];
    int from = 0;
    for (int i = 0; i < arguments.length; i++) {
      int to = from + lengths.get(i);
      var part = Payload.of(Arrays.copyOfRange(bytes.bytes(), from, to));
      arguments[i] = values.decode(part, types.get(i), "an argument of " + id);
      from = to;
    }
    return arguments;
  }
}
