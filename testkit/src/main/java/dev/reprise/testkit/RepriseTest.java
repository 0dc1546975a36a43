package dev.reprise.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives the tests of a class a {@link TestEngine}, as a parameter of the test, of methods with
 * {@code @BeforeEach} or {@code @AfterEach}, or of the constructor. Each test has one of its own,
 * which is closed after it; the failure of a test shows the histories of its runs.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ExtendWith(RepriseExtension.class)
public @interface RepriseTest {}
