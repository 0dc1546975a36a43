package dev.reprise.verification.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.HistoryEvent;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The judge of the fault tests is told stories in which something went wrong. */
class VerdictTest {
  private static final int ENOUGH = 30;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static List<Case> cases;
  private static Map<String, List<HistoryEvent>> histories;
  private static List<Effect> effects;

  @BeforeAll
  static void run_an_engine_without_any_fault(@TempDir Path folder) throws Exception {
    var file = folder.resolve("ledger.txt");
    try (var ledger = new Ledger(file);
        var engine = Reprise.inMemory().workflow(new Load(ledger)).start();
        var driver = new Driver(engine, ENOUGH, PATIENCE).begin()) {
      while (driver.completed() < ENOUGH) LockSupport.parkNanos(1_000_000);
      cases = driver.finish();
      histories = histories(engine);
      assertThat(driver.problems()).isEmpty();
    }
    effects = Ledger.read(file).stream().map(Effect::parse).toList();
  }

  private static Map<String, List<HistoryEvent>> histories(Engine engine) {
    var all = new HashMap<String, List<HistoryEvent>>();
    for (var each : cases) all.put(each.id(), engine.history(each.id()));
    return all;
  }

  @Test
  void without_faults_nothing_is_found() {
    var found = judge(cases, histories, effects, List.of());

    assertThat(found.findings()).isEmpty();
    assertThat(found.isGood()).isTrue();
    assertThat(found.starts()).isEqualTo(cases.size()).isGreaterThanOrEqualTo(ENOUGH);
    assertThat(found.signals()).isEqualTo(cases.size() * Load.SENDERS * Load.NOTES);
    assertThat(found.reruns()).isZero();
  }

  @Test
  void a_workflow_that_never_ended_is_lost() {
    var found = judge(changed(each -> withResult(each, null)), histories, effects, List.of());

    assertThat(found.lost()).isEqualTo(1);
  }

  @Test
  void another_result_is_wrong() {
    var found = judge(changed(each -> withResult(each, "7")), histories, effects, List.of());

    assertThat(found.wrong()).isEqualTo(1);
  }

  @Test
  void a_signal_that_is_in_no_history_is_lost() {
    var found = judge(cases, without(event -> isNote(event, 2)), effects, List.of());

    assertThat(found.lost()).isEqualTo(Load.SENDERS);
  }

  @Test
  void a_signal_that_was_not_acknowledged_may_be_missing() {
    var unknown =
        changed(
            each ->
                new Case(
                    each.number(),
                    true,
                    each.signals().stream()
                        .map(sent -> new Case.Sent(sent.note(), sent.note().number() == 2 ? -1 : 1))
                        .toList(),
                    each.result(),
                    each.toldAt()));

    var found = judge(unknown, without(event -> isNote(event, 2)), effects, List.of());

    assertThat(found.lost()).isZero();
  }

  @Test
  void signals_in_another_order_are_wrong() {
    var found =
        judge(
            cases,
            swapped(event -> isNote(event, 1), event -> isNote(event, 2)),
            effects,
            List.of());

    assertThat(found.wrong()).isPositive();
  }

  @Test
  void a_signal_that_is_there_twice_is_duplicated() {
    var found = judge(cases, doubled(event -> isNote(event, 1)), effects, List.of());

    assertThat(found.duplicated()).isEqualTo(Load.SENDERS);
    assertThat(found.wrong()).as("and the history has no place for it").isEqualTo(1);
  }

  @Test
  void an_event_that_is_not_there_is_a_gap() {
    var found =
        judge(cases, without(event -> event.type().equals("TimerFired")), effects, List.of());

    assertThat(found.wrong()).isEqualTo(1);
  }

  @Test
  void a_timer_that_was_recorded_before_it_was_due_is_early() {
    var found =
        judge(
            cases,
            replaced(
                event -> event.type().equals("TimerFired"),
                event -> at(event, event.recordedAt().minusMillis(2_000))),
            effects,
            List.of());

    assertThat(found.earlyTimers()).isEqualTo(1);
  }

  @Test
  void a_sleep_that_was_too_short_is_early_whatever_the_history_says() {
    var before =
        effects.stream()
            .filter(line -> line.workflowId().equals(Case.id(0)))
            .filter(line -> line.step() == Step.BEFORE_SLEEP)
            .findFirst()
            .orElseThrow();
    var hurried = new ArrayList<Effect>();
    for (var line : effects) {
      var isHurried = line.workflowId().equals(Case.id(0)) && line.step().isAfterSleep();
      hurried.add(isHurried ? later(line, line.pid(), before.nanos() - line.nanos()) : line);
    }

    assertThat(judge(cases, histories, hurried, List.of()).earlyTimers()).isEqualTo(1);
  }

  @Test
  void an_activity_that_ran_again_after_its_completion_is_duplicated() {
    var found = judge(cases, histories, withRepeat(Step.FIRST, 1), List.of());

    assertThat(found.duplicated()).isEqualTo(1);
    assertThat(found.reruns()).isEqualTo(1);
  }

  @Test
  void the_last_activity_may_not_run_after_the_result_was_told() {
    var found = judge(cases, histories, withRepeat(Step.LAST, PATIENCE.toNanos() * 9), List.of());

    assertThat(found.duplicated()).isEqualTo(1);
  }

  @Test
  void an_activity_that_ran_again_before_its_completion_is_only_noted() {
    var repeated = new ArrayList<Effect>();
    for (var line : effects) {
      repeated.add(line);
      if (line.workflowId().equals(Case.id(0)) && line.step() == Step.FIRST) repeated.add(line);
    }

    var found = judge(cases, histories, repeated, List.of());

    assertThat(found.isGood()).isTrue();
    assertThat(found.reruns()).isEqualTo(1);
  }

  @Test
  void an_attempt_that_a_frozen_process_ends_late_does_not_shorten_the_sleep_of_another() {
    var awake =
        effects.stream()
            .filter(line -> line.workflowId().equals(Case.id(0)) && line.step().isAfterSleep())
            .findFirst()
            .orElseThrow();
    var late = new Effect(Case.id(0), Step.BEFORE_SLEEP, awake.nanos() - 1, 99);
    var repeated = new ArrayList<>(effects);
    repeated.add(effects.indexOf(awake), late);
    var freezes = List.of(new Freeze(late.pid(), 0, late.nanos() - 1));

    assertThat(judge(cases, histories, repeated, List.of()).earlyTimers()).isEqualTo(1);
    assertThat(judge(cases, histories, repeated, freezes).isGood()).isTrue();
  }

  @Test
  void a_frozen_process_may_end_the_attempt_that_it_had_begun() {
    var repeat = withRepeat(Step.FIRST, 1);
    var line = repeat.getLast();
    var freeze = new Freeze(line.pid(), 0, line.nanos() - 1);

    var found = judge(cases, histories, repeat, List.of(freeze));

    assertThat(found.isGood()).isTrue();
    assertThat(found.stale()).isEqualTo(1);
  }

  // ---- stories

  private static Verdict.Found judge(
      List<Case> cases,
      Map<String, List<HistoryEvent>> histories,
      List<Effect> effects,
      List<Freeze> freezes) {
    return Verdict.on(cases, histories::get, effects, freezes);
  }

  private static List<Case> changed(UnaryOperator<Case> change) {
    return cases.stream().map(each -> each.number() == 0 ? change.apply(each) : each).toList();
  }

  private static Case withResult(Case each, String result) {
    return new Case(each.number(), true, each.signals(), result, each.toldAt());
  }

  /** The first workflow once more does that step, a moment after everything else. */
  private static List<Effect> withRepeat(Step step, long nanos) {
    var repeated = new ArrayList<>(effects);
    var last = effects.stream().filter(line -> line.workflowId().equals(Case.id(0))).toList();
    repeated.add(later(new Effect(Case.id(0), step, last.getLast().nanos(), 0), 99, nanos));
    return repeated;
  }

  private static Effect later(Effect line, long pid, long nanos) {
    return new Effect(line.workflowId(), line.step(), line.nanos() + nanos, pid);
  }

  private static boolean isNote(HistoryEvent event, int number) {
    return event.type().equals("SignalReceived") && event.value().contains("\"number\":" + number);
  }

  private static Map<String, List<HistoryEvent>> without(Predicate<HistoryEvent> some) {
    return told(story -> story.removeIf(some));
  }

  private static Map<String, List<HistoryEvent>> doubled(Predicate<HistoryEvent> some) {
    return told(story -> story.addAll(story.stream().filter(some).toList()));
  }

  private static Map<String, List<HistoryEvent>> replaced(
      Predicate<HistoryEvent> some, UnaryOperator<HistoryEvent> change) {
    return told(story -> story.replaceAll(event -> some.test(event) ? change.apply(event) : event));
  }

  private static Map<String, List<HistoryEvent>> swapped(
      Predicate<HistoryEvent> one, Predicate<HistoryEvent> other) {
    return told(
        story -> {
          var first = story.stream().filter(one).findFirst().orElseThrow();
          var second = story.stream().filter(other).findFirst().orElseThrow();
          story.replaceAll(event -> event == first ? second : event == second ? first : event);
        });
  }

  /** All histories, that of the first workflow told in another way. */
  private static Map<String, List<HistoryEvent>> told(Consumer<List<HistoryEvent>> change) {
    var all = new HashMap<>(histories);
    var story = new ArrayList<>(histories.get(Case.id(0)));
    change.accept(story);
    all.put(Case.id(0), story);
    return all;
  }

  private static HistoryEvent at(HistoryEvent event, Instant time) {
    return new HistoryEvent(
        event.index(),
        time,
        event.type(),
        event.subject(),
        event.callSite(),
        event.attributes(),
        event.value(),
        event.arguments());
  }
}
