package dev.reprise.testkit;

import dev.reprise.TerminalFailure;
import dev.reprise.engine.replay.ActivityCall;
import dev.reprise.engine.store.Store;
import java.lang.invoke.MethodType;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jspecify.annotations.Nullable;

/** What a test does in place of activities, by their names, and which of them were called. */
final class Replacements {
  private final Store store;
  private final Appointments appointments;
  private final Map<String, Replacement> byName = new ConcurrentHashMap<>();
  private final Set<String> unused = new ConcurrentSkipListSet<>();
  private final Set<String> called = new ConcurrentSkipListSet<>();
  private final Set<String> misfits = new ConcurrentSkipListSet<>();

  Replacements(Store store, Appointments appointments) {
    this.store = store;
    this.appointments = appointments;
  }

  void put(String activity, Replacement replacement) {
    byName.put(activity, replacement);
    if (!called.contains(activity)) unused.add(activity);
  }

  Call begin(ActivityCall call) {
    called.add(call.name());
    return new Call(call, store, appointments);
  }

  @Nullable Object answer(Call call) throws Exception {
    var replacement = byName.get(call.name());
    if (replacement == null) return call.proceed();
    unused.remove(call.name());
    return fitting(call, replacement.answer(call));
  }

  /** A result of another type could not be read again: better to say whose mistake it is. */
  private @Nullable Object fitting(Call call, @Nullable Object result) {
    var wanted = raw(call.type());
    if (result == null || wanted == void.class || wanted.isInstance(result)) return result;
    var text =
        "the replacement of %s returned a value of type %s, but the activity returns %s"
            .formatted(call.name(), result.getClass().getName(), call.type().getTypeName());
    misfits.add(text);
    throw new TerminalFailure(text);
  }

  private static Class<?> raw(Type type) {
    return switch (type) {
      case Class<?> known when known == void.class || known == Void.class -> void.class;
      case Class<?> known -> MethodType.methodType(known).wrap().returnType();
      case ParameterizedType generic -> raw(generic.getRawType());
      case GenericArrayType _ -> Object.class;
      default -> Object.class;
    };
  }

  /** What is wrong with the replacements, at the end of a test. */
  Optional<String> complaint(boolean lenient) {
    if (!misfits.isEmpty()) return Optional.of(String.join("\n", misfits));
    if (lenient || unused.isEmpty()) return Optional.empty();
    return Optional.of(
        """
        replaced, but never called: %s
        activities that were called: %s
        If that is no mistake: engine.lenient()\
        """
            .formatted(
                String.join(", ", unused), called.isEmpty() ? "none" : String.join(", ", called)));
  }
}
