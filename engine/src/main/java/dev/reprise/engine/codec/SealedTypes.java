package dev.reprise.engine.codec;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;

/**
 * A sealed type without annotations of its own is written with the name of its subtype, and so is a
 * subtype, so that it makes no difference by which of the two a value is declared.
 */
final class SealedTypes extends JacksonAnnotationIntrospector {
  private static final long serialVersionUID = 1L;
  private static final JsonTypeInfo.Value BY_NAME =
      JsonTypeInfo.Value.construct(
          JsonTypeInfo.Id.NAME, JsonTypeInfo.As.PROPERTY, "@type", null, false, null, null);

  @Override
  public JsonTypeInfo.@Nullable Value findPolymorphicTypeInfo(
      MapperConfig<?> config, Annotated annotated) {
    var declared = super.findPolymorphicTypeInfo(config, annotated);
    if (declared != null || !(annotated instanceof AnnotatedClass)) return declared;
    return isSealed(annotated.getRawType()) ? BY_NAME : null;
  }

  /** Enums whose constants have bodies are sealed too, but written by name all the same. */
  private static boolean isSealed(@Nullable Class<?> type) {
    if (type == null || type.getName().startsWith("java.")) return false;
    if (type.isSealed() && !type.isEnum()) return true;
    for (var parent : type.getInterfaces()) if (isSealed(parent)) return true;
    return isSealed(type.getSuperclass());
  }
}
