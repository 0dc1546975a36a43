package dev.reprise;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says that code which the determinism guard would report does the same on every replay, and why.
 * The guard looks neither into a method or class with it nor into what only that code calls. On a
 * field, on an interface or on one of its methods it says that calls of such an object are no
 * effects.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.CONSTRUCTOR, ElementType.FIELD})
public @interface Deterministic {

  /** Why replay does not notice. The guard reports a blank reason. */
  String because();
}
