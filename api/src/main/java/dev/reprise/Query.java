package dev.reprise;

import java.lang.reflect.Type;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The name and types of a question that a workflow answers without being changed. Declare it as a
 * constant of the workflow.
 *
 * @param name what handlers and callers call it
 * @param argument type of what the caller gives; {@code void.class} for nothing
 * @param result type of the answer; {@code void.class} for nothing
 */
public record Query<A extends @Nullable Object, R extends @Nullable Object>(
    String name, Type argument, Type result) {

  public Query {
    Objects.requireNonNull(argument, "argument");
    Objects.requireNonNull(result, "result");
    Texts.checked(name, "query name");
  }

  /** Without an argument, with an answer of a plain class. */
  public static <R> Query<@Nullable Void, R> of(String name, Class<R> result) {
    return new Query<>(name, void.class, result);
  }

  /** Without an argument, with an answer of a generic type. */
  public static <R extends @Nullable Object> Query<@Nullable Void, R> of(
      String name, TypeRef<R> result) {
    return new Query<>(name, void.class, result.type());
  }

  /** With an argument and an answer of plain classes. */
  public static <A, R> Query<A, R> of(String name, Class<A> argument, Class<R> result) {
    return new Query<>(name, argument, result);
  }

  /** With an argument and an answer of generic types. */
  public static <A extends @Nullable Object, R extends @Nullable Object> Query<A, R> of(
      String name, TypeRef<A> argument, TypeRef<R> result) {
    return new Query<>(name, argument.type(), result.type());
  }
}
