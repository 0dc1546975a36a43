package dev.reprise.verification.chaos;

import dev.reprise.HistoryEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/**
 * Compares what callers were told, what the histories say, and what the activities really did.
 *
 * <p>That an activity never runs again once its completion is recorded is checked without any wall
 * clock: an activity begins when those before it are recorded, so from the first line of a later
 * one on the ledger must have no line of an earlier one.
 */
final class Verdict {
  /** A process that was frozen in the middle of an attempt ends that attempt when it is thawed. */
  private static final Duration AFTER_THAW = Duration.ofSeconds(1);

  /** A node knows the time of the database only as well as the answers of it are quick. */
  private static final Duration CLOCK_ERROR = Duration.ofMillis(50);

  private final Map<String, List<Effect>> effects;
  private final List<Freeze> freezes;
  private final List<String> findings = new ArrayList<>();
  private int starts;
  private int signals;
  private int lost;
  private int duplicated;
  private int early;
  private int wrong;
  private int reruns;
  private int stale;

  /** What was found. All but the first four and the last two must be zero. */
  record Found(
      int starts,
      int signals,
      int reruns,
      int stale,
      int lost,
      int duplicated,
      int earlyTimers,
      int wrong,
      List<String> findings) {
    boolean isGood() {
      return lost + duplicated + earlyTimers + wrong == 0;
    }
  }

  private Verdict(List<Effect> effects, List<Freeze> freezes) {
    this.effects = effects.stream().collect(Collectors.groupingBy(Effect::workflowId));
    this.freezes = freezes;
  }

  static Found on(
      List<Case> cases,
      Function<String, List<HistoryEvent>> histories,
      List<Effect> effects,
      List<Freeze> freezes) {
    var verdict = new Verdict(effects, freezes);
    for (var each : cases) {
      if (!each.isStarted()) continue;
      verdict.starts++;
      verdict.judge(each, histories.apply(each.id()));
    }
    return verdict.found();
  }

  private Found found() {
    return new Found(
        starts, signals, reruns, stale, lost, duplicated, early, wrong, List.copyOf(findings));
  }

  private void judge(Case each, List<HistoryEvent> history) {
    var id = each.id();
    if (each.result() == null) {
      lost++;
      findings.add(id + " never ended; its history: " + types(history));
    } else if (!each.result().equals(Load.expected(each.number()))) {
      wrong++;
      findings.add(id + " ended with " + each.result());
    }
    judgeOrder(id, history);
    judgeSignals(each, history);
    judgeTimers(each, history);
    judgeEffects(each, effects.getOrDefault(id, List.of()));
  }

  private void judgeOrder(String id, List<HistoryEvent> history) {
    for (int i = 0; i < history.size(); i++) {
      if (history.get(i).index() == i + 1) continue;
      wrong++;
      findings.add(id + " has a gap before event " + history.get(i).index());
      return;
    }
  }

  private void judgeSignals(Case each, List<HistoryEvent> history) {
    var received = new ArrayList<Load.Note>();
    for (var event : history) {
      if (!event.type().equals("SignalReceived")) continue;
      received.add(JsonMapper.shared().readValue(event.value(), Load.Note.class));
    }
    Map<Integer, Integer> last = new HashMap<>();
    for (var note : received.stream().distinct().toList()) {
      var before = last.put(note.sender(), note.number());
      if (note.number() == (before == null ? 0 : before + 1)) continue;
      wrong++;
      findings.add(each.id() + " received out of order: " + received);
    }
    for (var sent : each.signals()) {
      if (sent.isAcknowledged()) signals++;
      long times = received.stream().filter(sent.note()::equals).count();
      if (times == 0 && sent.isAcknowledged()) {
        lost++;
        findings.add(each.id() + " lost " + sent);
      } else if (times > 1) {
        duplicated++;
        findings.add(each.id() + " has " + times + " times " + sent);
      }
    }
  }

  /** By the times of the history, and by the monotonic clock around the sleep. */
  private void judgeTimers(Case each, List<HistoryEvent> history) {
    var due = new HashMap<String, Instant>();
    for (var event : history) {
      switch (event.type()) {
        case "TimerScheduled" -> {
          var attributes = JsonMapper.shared().readTree(event.attributes());
          due.put(event.subject(), Instant.parse(attributes.get("due").asString()));
        }
        case "TimerFired" -> {
          if (!event.recordedAt().isBefore(due.getOrDefault(event.subject(), Instant.MAX)))
            continue;
          early++;
          findings.add(each.id() + " recorded " + event + " before it was due");
        }
        default -> {}
      }
    }
    var lines = effects.getOrDefault(each.id(), List.of());
    var first = lines.stream().filter(line -> line.step().isAfterSleep()).findFirst();
    if (first.isEmpty()) return;
    var slept =
        lines.subList(0, lines.indexOf(first.get())).stream()
            .filter(line -> line.step() == Step.BEFORE_SLEEP && !isOfFrozenOwner(line))
            .mapToLong(line -> first.get().nanos() - line.nanos())
            .min();
    var least = Load.sleep(each.number()).minus(CLOCK_ERROR).toNanos();
    if (slept.isEmpty() || slept.getAsLong() >= least) return;
    early++;
    findings.add(each.id() + " slept only " + Duration.ofNanos(slept.getAsLong()));
  }

  private void judgeEffects(Case each, List<Effect> lines) {
    var seen = new ArrayList<Effect>();
    for (var line : lines) {
      if (line.step() != Step.FLAKY && isIn(seen, line.step())) reruns++;
      var later = seen.stream().filter(other -> line.step().isBefore(other.step())).findFirst();
      seen.add(line);
      boolean isOver = each.result() != null && line.nanos() > each.toldAt();
      if (later.isEmpty() && !isOver) continue;
      if (isOldAttempt(line, later.map(Effect::nanos).orElse(each.toldAt()))) {
        stale++;
        continue;
      }
      duplicated++;
      findings.add(line + " ran again after its completion: " + later.orElse(null));
    }
  }

  private static boolean isIn(List<Effect> seen, Step step) {
    return seen.stream().anyMatch(line -> line.step() == step);
  }

  /** Whether the process stood still in the middle of it: then the sleep may be another's. */
  private boolean isOfFrozenOwner(Effect line) {
    return freezes.stream().anyMatch(freeze -> isEnding(line, freeze));
  }

  private static boolean isEnding(Effect line, Freeze freeze) {
    return freeze.pid() == line.pid()
        && line.nanos() > freeze.from()
        && line.nanos() < freeze.until() + AFTER_THAW.toNanos();
  }

  /** Whether the process stood still while others went on with the workflow. */
  private boolean isOldAttempt(Effect line, long goneOn) {
    return freezes.stream()
        .anyMatch(
            freeze ->
                isEnding(line, freeze)
                    && freeze.from() < goneOn
                    && goneOn < freeze.until() + AFTER_THAW.toNanos());
  }

  private static List<String> types(List<HistoryEvent> history) {
    return history.stream().map(HistoryEvent::type).toList();
  }
}
