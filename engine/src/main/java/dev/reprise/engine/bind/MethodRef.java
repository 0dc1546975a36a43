package dev.reprise.engine.bind;

import dev.reprise.ErrorCode;
import dev.reprise.Name;
import dev.reprise.RepriseException;
import dev.reprise.Was;
import java.io.Serializable;
import java.lang.invoke.MethodType;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.List;

/**
 * What a bound method reference refers to.
 *
 * <p>The compiler makes one class for each method reference in the source, so this is worked out
 * once for each place in the code and then looked up by class.
 *
 * @param name {@code Payments.charge}
 * @param result the declared result type
 * @param parameters the declared types of its parameters
 * @param formerNames names that histories may have for it
 * @param place where the calls with it stand
 */
public record MethodRef(
    String name, Type result, List<Type> parameters, List<String> formerNames, CallPlace place) {
  private static final ClassValue<MethodRefHolder> CACHE =
      new ClassValue<>() {
        @Override
        protected MethodRefHolder computeValue(Class<?> type) {
          return new MethodRefHolder();
        }
      };

  /** Names the method. */
  public static MethodRef of(Serializable reference) {
    var holder = CACHE.get(reference.getClass());
    var known = holder.value;
    if (known == null) {
      known = resolve(reference);
      holder.value = known;
    }
    return known;
  }

  /** The recorded name of a method of an activity type. */
  public static String nameOf(Class<?> type, Method method) {
    var ofMethod = method.getAnnotation(Name.class);
    if (ofMethod != null) return ofMethod.value();
    var ofType = type.getAnnotation(Name.class);
    return (ofType != null ? ofType.value() : type.getSimpleName()) + "." + method.getName();
  }

  /** The names that it had before, by its own {@link Was} and by that of its type. */
  public static List<String> formerNamesOf(Class<?> type, Method method) {
    var names = new ArrayList<String>();
    var ofMethod = method.getAnnotation(Was.class);
    if (ofMethod != null) names.addAll(List.of(ofMethod.value()));
    var ofType = type.getAnnotation(Was.class);
    if (ofType == null) return List.copyOf(names);
    for (var former : ofType.value()) names.add(former + "." + method.getName());
    return List.copyOf(names);
  }

  private static MethodRef resolve(Serializable reference) {
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
      var type = method.getGenericReturnType();
      if (type instanceof TypeVariable) type = atCallSite(lambda, loader);
      return new MethodRef(
          nameOf(owner, method),
          type,
          List.of(method.getGenericParameterTypes()),
          formerNamesOf(owner, method),
          CallPlace.of(lambda, loader));
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

  private static RepriseException notBound(
      Serializable reference, @org.jspecify.annotations.Nullable Throwable cause) {
    return new RepriseException(
        ErrorCode.R109,
        "%s is not a bound method reference: write ctx.run(payments::charge, order), or use a label"
            .formatted(reference.getClass().getName()),
        cause);
  }

  private static final class MethodRefHolder {
    private volatile @org.jspecify.annotations.Nullable MethodRef value;
  }
}
