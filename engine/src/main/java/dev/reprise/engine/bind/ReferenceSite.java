package dev.reprise.engine.bind;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import java.io.Serializable;
import java.lang.invoke.MethodType;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A place in the source where a method reference stands, for which the compiler makes a class.
 *
 * <p>Type variables of the method's type are those of the receiver as it is declared there: for
 * {@code orders::save} those that {@code Orders} says. Where the declared type leaves some open, as
 * in {@code <T> void keep(Repo<T> repo)}, the class of the object may know them, and then one place
 * can have several types.
 */
final class ReferenceSite {
  private final Receiver receiver;
  private volatile @Nullable MethodRef declared; // once it is known
  private volatile @Nullable Map<Class<?>, MethodRef> byReceiver; // null if that is always the same

  ReferenceSite(Class<?> reference) {
    this.receiver = Receiver.of(reference);
  }

  @Nullable Object receiver(Serializable reference) {
    return receiver.get(reference);
  }

  MethodRef ref(Serializable reference) {
    var known = declared;
    if (known == null) known = resolve(reference);
    var special = byReceiver;
    if (special == null) return known;
    var object = receiver.get(reference);
    if (object == null) return known;
    var general = known;
    return special.computeIfAbsent(object.getClass(), type -> ofReceiver(general, type));
  }

  private static MethodRef ofReceiver(MethodRef general, Class<?> receiver) {
    var method = general.method();
    var types = Bindings.of(receiver);
    var result = Resolved.of(method.getGenericReturnType(), types);
    if (Resolved.isOpen(result)) result = general.result();
    var parameters = ActivityMethods.types(method, types);
    return new MethodRef(
        general.name(),
        method,
        result,
        parameters,
        general.formerNames(),
        general.overloaded(),
        general.place());
  }

  private MethodRef resolve(Serializable reference) {
    var lambda = serialized(reference);
    if (isLambda(lambda.getImplMethodName())) {
      throw new RepriseException(
          ErrorCode.R109,
          "a lambda in %s was given where a method reference is needed: write"
                  .formatted(lambda.getCapturingClass().replace('/', '.'))
              + " ctx.run(payments::charge, order), or give the lambda a label:"
              + " ctx.run(\"charge\", Receipt.class, () -> …)");
    }
    var loader = reference.getClass().getClassLoader();
    try {
      var owner = Class.forName(lambda.getImplClass().replace('/', '.'), false, loader);
      var signature =
          MethodType.fromMethodDescriptorString(lambda.getImplMethodSignature(), loader);
      var method = find(owner, lambda.getImplMethodName(), signature);
      if (method.isSynthetic() && !method.isBridge()) throw adapted(lambda);
      var types = Bindings.of(receiver.declared());
      var result = Resolved.of(method.getGenericReturnType(), types);
      var parameters = ActivityMethods.types(method, types);
      if (Resolved.isOpen(result) || parameters.stream().anyMatch(Resolved::isOpen)) {
        byReceiver = new ConcurrentHashMap<>();
      }
      if (result instanceof TypeVariable) result = atCallSite(lambda, loader);
      var known =
          new MethodRef(
              MethodRef.nameOf(owner, method),
              method,
              Resolved.closed(result),
              parameters,
              MethodRef.formerNamesOf(owner, method),
              ActivityMethods.isOverloaded(owner, method),
              CallPlace.of(lambda, loader));
      declared = known;
      return known;
    } catch (ReflectiveOperationException e) {
      throw notBound(reference, e);
    }
  }

  /** As javac and kotlinc name the methods that they make of lambdas. */
  private static boolean isLambda(String method) {
    return method.startsWith("lambda$") || method.contains("$lambda$");
  }

  /** A Kotlin reference to a method with default arguments, for example, is not to the method. */
  private static RepriseException adapted(SerializedLambda lambda) {
    return new RepriseException(
        ErrorCode.R109,
        "%s in %s is not the method itself but an adapter that the compiler made: refer to a method with exactly these parameters, or use a label"
            .formatted(lambda.getImplMethodName(), lambda.getCapturingClass().replace('/', '.')));
  }

  /** The result type that the compiler worked out where the reference stands. */
  private static Type atCallSite(SerializedLambda lambda, ClassLoader loader) {
    return MethodType.fromMethodDescriptorString(lambda.getInstantiatedMethodType(), loader)
        .returnType();
  }

  private static Method find(Class<?> owner, String name, MethodType signature)
      throws NoSuchMethodException {
    for (Class<?> c = owner; c != null; c = c.getSuperclass()) {
      for (var method : c.getDeclaredMethods()) {
        if (method.getName().equals(name)
            && MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                .equals(signature)) {
          return method;
        }
      }
    }
    return owner.getMethod(name, signature.parameterArray());
  }

  private static SerializedLambda serialized(Serializable reference) {
    try {
      var replace = reference.getClass().getDeclaredMethod("writeReplace");
      replace.setAccessible(true);
      if (replace.invoke(reference) instanceof SerializedLambda lambda) return lambda;
      throw notBound(reference, null);
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw notBound(reference, e);
    }
  }

  private static RepriseException notBound(Serializable reference, @Nullable Throwable cause) {
    return new RepriseException(
        ErrorCode.R109,
        "%s is not a bound method reference: write ctx.run(payments::charge, order), or use a label"
            .formatted(reference.getClass().getName()),
        cause);
  }
}
