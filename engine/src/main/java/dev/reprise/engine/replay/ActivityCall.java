package dev.reprise.engine.replay;

import java.lang.reflect.Type;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * An activity that is about to be called.
 *
 * @param workflowId the workflow that calls it
 * @param id of the call in its run, {@code name:counter} or what the options said
 * @param name of the activity, such as {@code Payments.charge}
 * @param type of its result
 * @param arguments what it is called with; none for a lambda under a label
 * @param body the activity itself
 */
public record ActivityCall(
    String workflowId,
    String id,
    String name,
    Type type,
    List<@Nullable Object> arguments,
    Callable<? extends @Nullable Object> body) {

  /** Calls the activity. */
  public @Nullable Object proceed() throws Exception {
    return body.call();
  }
}
