package dev.reprise;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What happens to open runs of this workflow when its code changes. Without it the setting of the
 * engine counts.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface WhenChanged {
  /** Verified or held. */
  SourcePolicy value();
}
