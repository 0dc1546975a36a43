package dev.reprise.engine.bind;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

/** The activity objects that were registered, found by the type a workflow asks for. */
public final class ActivityRegistry {
  private final List<Object> objects;
  private final boolean standIns;

  public ActivityRegistry(List<?> objects) {
    this(objects, false);
  }

  private ActivityRegistry(List<?> objects, boolean standIns) {
    this.objects = List.copyOf(objects);
    this.standIns = standIns;
  }

  /** One that has something for every interface, where nothing is ever called. */
  public static ActivityRegistry ofStandIns() {
    return new ActivityRegistry(List.of(), true);
  }

  /** The one object that implements the type. */
  public <T> T implementing(Class<T> type) {
    if (!type.isInterface()) {
      throw new RepriseException(
          ErrorCode.R103,
          "%s is not an interface: only interfaces can be called through a proxy, a class by"
                  .formatted(type.getName())
              + " ctx.run(object::method, …)");
    }
    if (standIns) return standIn(type);
    var found = new ArrayList<T>();
    for (var object : objects) if (type.isInstance(object)) found.add(type.cast(object));
    if (found.size() == 1) return found.getFirst();
    throw new RepriseException(
        ErrorCode.R103,
        found.isEmpty()
            ? "no registered object implements %s: add it with activities(…) when the engine is"
                    .formatted(type.getName())
                + " opened"
            : "%d registered objects implement %s: register one"
                .formatted(found.size(), type.getName()));
  }

  private static <T> T standIn(Class<T> type) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, _) -> {
              throw new IllegalStateException("nothing may be called here: " + method);
            }));
  }
}
