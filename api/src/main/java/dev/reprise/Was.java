package dev.reprise;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names that a workflow class or an activity method had before: histories with these names go on
 * with it. For a workflow the name as in {@link Name}; for a method the full name of the activity,
 * {@code "Payments.debit"}.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Was {
  /** The former names. */
  String[] value();
}
