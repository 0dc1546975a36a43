package dev.reprise.engine.codec;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.function.Supplier;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.module.SimpleValueInstantiators;

/** Makes hashed sets and maps of the kind that keeps the order in which it is filled. */
final class Making extends ValueInstantiator.Base {
  private final transient Supplier<?> maker;

  private Making(Class<?> declared, Supplier<?> maker) {
    super(declared);
    this.maker = maker;
  }

  static SimpleValueInstantiators inOrder() {
    return new SimpleValueInstantiators() {
      private static final long serialVersionUID = 1L;

      @Override
      public ValueInstantiator modifyValueInstantiator(
          DeserializationConfig config,
          BeanDescription.Supplier description,
          ValueInstantiator usual) {
        var type = description.getBeanClass();
        if (type == HashSet.class) return new Making(type, LinkedHashSet::new);
        return type == HashMap.class ? new Making(type, LinkedHashMap::new) : usual;
      }
    };
  }

  @Override
  public boolean canCreateUsingDefault() {
    return true;
  }

  @Override
  public Object createUsingDefault(DeserializationContext context) {
    return maker.get();
  }
}
