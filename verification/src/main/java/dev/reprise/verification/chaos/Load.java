package dev.reprise.verification.chaos;

import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.RetryPolicy;
import dev.reprise.Signal;
import dev.reprise.Workflow;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/** A bit of everything: steps, a sleep, branches, a step that fails, signals of two senders. */
public final class Load implements Workflow<Integer, String> {
  static final Signal<Note> NOTE = Signal.of("note", Note.class);
  static final Signal<Note> NUDGE = Signal.of("nudge", Note.class); // nothing waits for it
  static final int SENDERS = 2;
  static final int NOTES = 3; // of each sender
  private static final int LONGEST_PART = 15; // of an activity, in milliseconds
  private static final int FAILURES = 2; // in each process that tries

  private static final ActivityOptions PATIENT =
      ActivityOptions.defaults().retry(RetryPolicy.fixed(Duration.ofMillis(40), 0));

  private final Work work;

  public Load(Ledger ledger) {
    this.work = new Work(ledger);
  }

  /** What a signal says: from whom it is, and which of his it is. */
  public record Note(int sender, int number) {}

  @Override
  public String run(Context ctx, Integer number) {
    var steps = ctx.with(PATIENT);
    var id = ctx.workflowId();
    var sum = 0L;
    for (var step : List.of(Step.FIRST, Step.SECOND, Step.THIRD)) {
      sum += steps.run(work::perform, id, number, step);
    }
    ctx.sleep(sleep(number));
    var branches =
        List.of(
                List.of(Step.LEFT_ONE, Step.LEFT_TWO),
                List.of(Step.MIDDLE_ONE, Step.MIDDLE_TWO),
                List.of(Step.RIGHT_ONE, Step.RIGHT_TWO))
            .stream()
            .map(branch -> ctx.async(() -> inOrder(ctx, number, branch)))
            .toList();
    for (var part : ctx.all(branches)) sum += part;
    sum += steps.run(work::perform, id, number, Step.FLAKY);
    var notes = receive(ctx);
    sum += steps.run(work::perform, id, number, Step.LAST);
    return result(sum, notes);
  }

  /** The result that is right. */
  static String expected(int number) {
    var sum = Arrays.stream(Step.values()).mapToLong(step -> step.value(number)).sum();
    return sum + " notes " + SENDERS * NOTES;
  }

  /** How long that workflow sleeps: 100 ms to 2 s. */
  static Duration sleep(int number) {
    return Duration.ofMillis(100 + Math.floorMod(number * 7_919L, 1_900));
  }

  private long inOrder(Context ctx, int number, List<Step> branch) {
    var sum = 0L;
    for (var step : branch) {
      sum += ctx.with(PATIENT).run(work::perform, ctx.workflowId(), number, step);
    }
    return sum;
  }

  /** Each note counts once, so that a sender who was not told may send it again. */
  private static Set<Note> receive(Context ctx) {
    var notes = new LinkedHashSet<Note>();
    while (notes.size() < SENDERS * NOTES) notes.add(ctx.receive(NOTE));
    return notes;
  }

  private static String result(long sum, Set<Note> notes) {
    return sum + " notes " + notes.size();
  }

  /** The activities. Each attempt leaves its line before it ends. */
  static final class Work {
    private final Ledger ledger;
    private final Map<String, Integer> failures = new ConcurrentHashMap<>();

    Work(Ledger ledger) {
      this.ledger = ledger;
    }

    /** It takes a while, so that faults find it before and after its line. */
    long perform(String workflowId, int number, Step step) throws InterruptedException {
      Thread.sleep(ThreadLocalRandom.current().nextInt(LONGEST_PART));
      ledger.write(Effect.now(workflowId, step).line());
      Thread.sleep(ThreadLocalRandom.current().nextInt(LONGEST_PART));
      if (step == Step.FLAKY && failures.merge(workflowId, 1, Integer::sum) <= FAILURES) {
        throw new IllegalStateException("not this time");
      }
      return step.value(number);
    }
  }
}
