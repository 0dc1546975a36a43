package dev.reprise.verification.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static dev.reprise.verification.architecture.Rules.NAMES_SAY_WHAT_A_CLASS_IS;
import static dev.reprise.verification.architecture.Rules.NO_OLD_DATES;
import static dev.reprise.verification.architecture.Rules.member;

import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.LocationProvider;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Files;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What holds for the tests of every module and for the test kit. */
@AnalyzeClasses(locations = TestHabitsTest.TestCode.class)
class TestHabitsTest {
  @ArchTest
  static final ArchRule tests_wait_for_what_they_expect =
      noClasses()
          .should()
          .accessTargetWhere(
              member("java.lang.Thread", "sleep")
                  .or(member("java.util.concurrent.TimeUnit", "sleep")))
          .because("a test that sleeps is slow on every machine and wrong on a slow one");

  @ArchTest static final ArchRule names = NAMES_SAY_WHAT_A_CLASS_IS;

  @ArchTest static final ArchRule dates = NO_OLD_DATES;

  static final class TestCode implements LocationProvider {
    @Override
    public Set<Location> get(Class<?> testClass) {
      var repository = Repository.here();
      var testKit = repository.root().resolve("testkit/target/classes");
      return Stream.concat(
              repository.inModules("target/test-classes").stream(),
              Stream.of(testKit).filter(Files::exists))
          .map(Location::of)
          .collect(Collectors.toSet());
    }
  }
}
