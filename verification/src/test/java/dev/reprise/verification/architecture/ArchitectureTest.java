package dev.reprise.verification.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static dev.reprise.verification.architecture.Rules.NAMES_SAY_WHAT_A_CLASS_IS;
import static dev.reprise.verification.architecture.Rules.NO_OLD_DATES;
import static dev.reprise.verification.architecture.Rules.member;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.Serializable;
import java.time.Clock;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** Which part of the code may know which other part. */
@AnalyzeClasses(packages = "dev.reprise", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
  private static final DescribedPredicate<JavaClass> API = module("api", "reprise-api");
  private static final DescribedPredicate<JavaClass> GUARD = module("guard", "reprise-guard");
  private static final DescribedPredicate<JavaClass> ENGINE = module("engine", "reprise-engine");
  private static final DescribedPredicate<JavaClass> JDBC = module("store-jdbc", "reprise-jdbc");
  private static final DescribedPredicate<JavaClass> TESTKIT = module("testkit", "reprise-testkit");
  private static final DescribedPredicate<JavaClass> POSTGRES =
      module("test-postgres", "reprise-test-postgres");
  private static final DescribedPredicate<JavaClass> OURS = resideInAPackage("dev.reprise..");

  /** From the centre outwards: a package knows those before it and none after it. */
  private static final List<String> ENGINE_ORDER =
      List.of("event", "decide", "queue", "machine", "store", "journal", "replay", "task", "node");

  private static final String[] PURE = {
    "dev.reprise.engine.event..",
    "dev.reprise.engine.decide..",
    "dev.reprise.engine.filter..",
    "dev.reprise.engine.queue.."
  };

  // ---- modules

  @ArchTest
  static final ArchRule the_api_brings_nothing_along =
      classes()
          .that(API)
          .should()
          .onlyDependOnClassesThat(API.or(resideInAnyPackage("java..", "org.jspecify..")));

  @ArchTest static final ArchRule the_engine_knows_only_the_api = knowsOnly(ENGINE, API);

  @ArchTest static final ArchRule the_guard_knows_only_the_api = knowsOnly(GUARD, API);

  @ArchTest static final ArchRule the_store_knows_only_the_engine = knowsOnly(JDBC, API.or(ENGINE));

  @ArchTest
  static final ArchRule the_test_kit_knows_only_the_engine_and_the_guard =
      knowsOnly(TESTKIT, API.or(ENGINE).or(GUARD));

  @ArchTest
  static final ArchRule the_test_server_knows_nothing_of_ours =
      noClasses().that(POSTGRES).should().dependOnClassesThat(OURS.and(not(POSTGRES)));

  @ArchTest
  static final ArchRule the_server_knows_no_tests_and_no_examples =
      knowsOnly(module("server", "reprise-server"), API.or(ENGINE).or(JDBC));

  @ArchTest
  static final ArchRule examples_use_what_users_use =
      knowsOnly(module("examples", "reprise-examples"), API.or(ENGINE).or(JDBC));

  // ---- inside the engine

  @ArchTest
  static void packages_of_the_engine_point_inwards(JavaClasses classes) {
    for (var inner = 0; inner < ENGINE_ORDER.size() - 1; inner++) {
      var outer = ENGINE_ORDER.subList(inner + 1, ENGINE_ORDER.size());
      noClasses()
          .that()
          .resideInAPackage(engine(ENGINE_ORDER.get(inner)))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(outer.stream().map(ArchitectureTest::engine).toArray(String[]::new))
          .allowEmptyShould(true)
          .check(classes);
    }
  }

  @ArchTest
  static final ArchRule the_engine_has_no_cycles =
      slices().matching("dev.reprise.engine.(*)..").should().beFreeOfCycles();

  @ArchTest static final ArchRule the_codec_knows_only_events = engineKnowsOnly("codec", "event");

  @ArchTest static final ArchRule binding_knows_only_events = engineKnowsOnly("bind", "event");

  @ArchTest
  static final ArchRule filters_know_nothing_else_of_the_engine = engineKnowsOnly("filter");

  @ArchTest
  static final ArchRule the_doctor_knows_only_what_is_stored =
      engineKnowsOnly("doctor", "event", "filter", "store");

  @ArchTest
  static final ArchRule the_archive_knows_only_what_is_stored =
      engineKnowsOnly("archive", "event", "store");

  /**
   * Else the simulation would not decide it. The watch over code that does not come back measures
   * the real time on purpose.
   */
  @ArchTest
  static final ArchRule threads_waiting_and_luck_come_from_the_machine =
      noClasses()
          .that(ENGINE.and(not(resideInAPackage(engine("machine")))))
          .should()
          .accessTargetWhere(
              member("java.lang.Thread", "ofVirtual|ofPlatform|startVirtualThread|sleep")
                  .or(member("java.util.concurrent.locks.LockSupport", "parkNanos|parkUntil"))
                  .or(member("java.util.concurrent.ThreadLocalRandom", "current"))
                  .or(member("java.util.UUID", "randomUUID"))
                  .or(member("java.lang.System", "currentTimeMillis")));

  // ---- the pure centre

  @ArchTest static final ArchRule decisions_know_only_events = engineKnowsOnly("decide", "event");

  @ArchTest static final ArchRule events_know_nothing_else_of_the_engine = engineKnowsOnly("event");

  @ArchTest
  static final ArchRule events_and_decisions_have_no_clock_thread_or_io =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(
                      "java.io..",
                      "java.net..",
                      "java.nio.channels..",
                      "java.nio.file..",
                      "java.sql..",
                      "java.util.concurrent..",
                      "java.util.logging..",
                      "javax.sql..",
                      "org.slf4j..")
                  .and(not(belongToAnyOf(Serializable.class))))
          .orShould()
          .dependOnClassesThat()
          .belongToAnyOf(
              Thread.class,
              ThreadLocal.class,
              ScopedValue.class,
              Clock.class,
              InstantSource.class,
              Random.class,
              SplittableRandom.class,
              System.Logger.class)
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule events_and_decisions_answer_the_same_every_time =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .accessTargetWhere(
              member("java.time.*", "now")
                  .or(member("java.lang.System", "currentTimeMillis|nanoTime|getenv|getProperty"))
                  .or(member("java.lang.System", "in|out|err"))
                  .or(member("java.lang.Math", "random"))
                  .or(member("java.util.UUID", "randomUUID")))
          .allowEmptyShould(true);

  // ---- everywhere

  @ArchTest static final ArchRule names = NAMES_SAY_WHAT_A_CLASS_IS;

  @ArchTest static final ArchRule dates = NO_OLD_DATES;

  /**
   * The benchmark measures bare JDBC beside the engine; the test server creates databases. A pool
   * of the user's is handed through as it is.
   */
  @ArchTest
  static final ArchRule only_the_jdbc_store_speaks_sql =
      noClasses()
          .that(not(JDBC.or(POSTGRES).or(resideInAPackage("dev.reprise.verification.bench"))))
          .should()
          .dependOnClassesThat(
              resideInAnyPackage("java.sql..", "javax.sql..")
                  .and(not(belongToAnyOf(DataSource.class))));

  @ArchTest
  static final ArchRule context_travels_in_scoped_values =
      noClasses()
          .should()
          .dependOnClassesThat()
          .areAssignableTo(ThreadLocal.class)
          .because("thread locals leak between runs and are expensive on virtual threads");

  private static ArchRule knowsOnly(
      DescribedPredicate<JavaClass> module, DescribedPredicate<JavaClass> others) {
    return noClasses()
        .that(module)
        .should()
        .dependOnClassesThat(OURS.and(not(module.or(others))))
        .allowEmptyShould(true);
  }

  private static ArchRule engineKnowsOnly(String name, String... others) {
    var allowed =
        Stream.concat(Stream.of(name), Stream.of(others))
            .map(ArchitectureTest::engine)
            .toArray(String[]::new);
    return noClasses()
        .that()
        .resideInAPackage(engine(name))
        .should()
        .dependOnClassesThat(ENGINE.and(not(resideInAnyPackage(allowed))))
        .allowEmptyShould(true);
  }

  private static String engine(String name) {
    return "dev.reprise.engine." + name + "..";
  }

  /** Classes by the place they were compiled to, because a package may be spread over modules. */
  private static DescribedPredicate<JavaClass> module(String folder, String artifact) {
    return describe(
        "in module " + folder,
        type ->
            type.getBaseComponentType()
                .getSource()
                .map(source -> source.getUri().toString())
                .filter(
                    uri ->
                        uri.contains("/" + folder + "/target/")
                            || uri.contains("/" + artifact + "-"))
                .isPresent());
  }
}
