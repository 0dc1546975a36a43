package dev.reprise.engine;

import dev.reprise.Steps.Step1;
import dev.reprise.Steps.Step2;
import dev.reprise.Steps.Step3;
import dev.reprise.Texts;
import dev.reprise.TypeRef;
import dev.reprise.engine.bind.NamedActivity;
import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Functions with labels, as activities. The codec gives them what their own types say. */
@SuppressWarnings({"unchecked", "NullAway"})
final class Functions {
  private Functions() {}

  static <A> NamedActivity of(
      String label, Class<A> argument, Reprise.ActivityFunction<A> function) {
    return of(
        label,
        List.of(argument),
        void.class,
        given -> {
          function.call((A) given[0]);
          return null;
        });
  }

  static <A extends @Nullable Object, R extends @Nullable Object> NamedActivity of(
      String label, TypeRef<A> argument, TypeRef<R> result, Step1<A, R> function) {
    return of(
        label, List.of(argument.type()), result.type(), given -> function.apply((A) given[0]));
  }

  static <A extends @Nullable Object, B extends @Nullable Object, R extends @Nullable Object>
      NamedActivity of(
          String label,
          TypeRef<A> first,
          TypeRef<B> second,
          TypeRef<R> result,
          Step2<A, B, R> function) {
    return of(
        label,
        List.of(first.type(), second.type()),
        result.type(),
        given -> function.apply((A) given[0], (B) given[1]));
  }

  static <
          A extends @Nullable Object,
          B extends @Nullable Object,
          C extends @Nullable Object,
          R extends @Nullable Object>
      NamedActivity of(
          String label,
          TypeRef<A> first,
          TypeRef<B> second,
          TypeRef<C> third,
          TypeRef<R> result,
          Step3<A, B, C, R> function) {
    return of(
        label,
        List.of(first.type(), second.type(), third.type()),
        result.type(),
        given -> function.apply((A) given[0], (B) given[1], (C) given[2]));
  }

  private static NamedActivity of(
      String label, List<Type> parameters, Type result, NamedActivity.Body body) {
    Texts.checked(label, "label of an activity");
    return new NamedActivity(label, parameters, result, body);
  }
}
