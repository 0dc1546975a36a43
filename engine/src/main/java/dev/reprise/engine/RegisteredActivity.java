package dev.reprise.engine;

import java.lang.reflect.Type;
import java.util.List;

/**
 * An activity that an engine can call by its name, for a queue or to undo something.
 *
 * @param name by which it is recorded, such as {@code Payments.charge}
 * @param parameters what it takes
 * @param result what it returns
 */
public record RegisteredActivity(String name, List<Type> parameters, Type result) {
  public RegisteredActivity {
    parameters = List.copyOf(parameters);
  }
}
