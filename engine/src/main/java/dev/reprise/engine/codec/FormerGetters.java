package dev.reprise.engine.codec;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.DeserializationProblemHandler;

/** Passes members over that earlier versions wrote because there is a getter of that name. */
final class FormerGetters extends DeserializationProblemHandler {

  @Override
  public boolean handleUnknownProperty(
      DeserializationContext context,
      JsonParser parser,
      ValueDeserializer<?> reader,
      Object beanOrClass,
      String member) {
    if (member.isEmpty() || !hasGetter(typeOf(beanOrClass), member)) return false;
    parser.skipChildren();
    return true;
  }

  private static @Nullable Class<?> typeOf(Object beanOrClass) {
    return beanOrClass instanceof Class<?> type ? type : beanOrClass.getClass();
  }

  private static boolean hasGetter(@Nullable Class<?> type, String member) {
    if (type == null) return false;
    var tail = Character.toUpperCase(member.charAt(0)) + member.substring(1);
    for (var method : type.getMethods()) {
      if (method.getParameterCount() > 0 || method.getDeclaringClass() == Object.class) continue;
      if (method.getName().equals("get" + tail) || method.getName().equals("is" + tail))
        return true;
    }
    return false;
  }
}
