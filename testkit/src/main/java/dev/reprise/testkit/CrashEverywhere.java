package dev.reprise.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A test that is run once as it is, and then once for every event of the histories of its runs,
 * with a crash right after that event is durable. Another engine goes on; calls that the test has
 * under way are made again on that one. Each time the test must pass, and all must end alike.
 *
 * <p>Alike means: the same workflows, the same status and result or failure, and the same events in
 * their histories: types, ids and values, in the same order. Times are not compared, nor the stacks
 * of failures. Activities that end one right after the other may do so in either order, as those do
 * that run at the same time.
 *
 * <p>What runs at a crash runs again, so fakes of activities must give the same result each time.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@TestTemplate
@Execution(ExecutionMode.SAME_THREAD)
@ExtendWith({RepriseExtension.class, CrashEverywhereExtension.class})
public @interface CrashEverywhere {

  /** At most so many crashes; where there are more events, those are spread evenly over them. */
  int limit() default 200;

  /**
   * Compares how runs end and not their histories: for workflows whose branches race, or whose
   * values depend on how long retries took.
   */
  boolean onlyOutcomes() default false;
}
