package dev.reprise.engine.node;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.StartOptions;
import dev.reprise.Status;
import dev.reprise.engine.bind.WorkflowDefinition;
import dev.reprise.engine.decide.Decider;
import dev.reprise.engine.event.Event.WorkflowStarted;
import dev.reprise.engine.event.Origin;
import dev.reprise.engine.event.Payload;
import dev.reprise.engine.event.Recorded;
import dev.reprise.engine.journal.Journal;
import dev.reprise.engine.node.Intake.Started;
import dev.reprise.engine.store.AttributesJson;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.NewTask;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Transition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Starts workflows that do not begin at once: on a queue, after a while, only one of a key, or when
 * nobody has asked for a while.
 */
final class QueuedStarts {
  private static final Duration LEASE = Duration.ofSeconds(30); // to begin once it was handed out
  private static final Duration PAUSE = Duration.ofMillis(5); // while one with the key is beginning

  private final Node node;
  private final Store store;
  private final Journal journal;
  private final Intake intake;
  private final Results results;

  QueuedStarts(Node node, Store store, Journal journal, Intake intake, Results results) {
    this.node = node;
    this.store = store;
    this.journal = journal;
    this.intake = intake;
    this.results = results;
  }

  /** What somebody wants to start. */
  private record Wish(String workflow, String workflowId, Payload input, StartOptions options) {

    String queue() {
      return options.queue().orElse("");
    }

    /** Of each workflow there is one with a key; starts that are debounced are a matter apart. */
    @Nullable String unique() {
      var kind = isDebounced() ? "debounce" : "deduplicate";
      return options
          .deduplication()
          .map(key -> "%s %s\n%s".formatted(kind, workflow, key))
          .orElse(null);
    }

    boolean isDebounced() {
      return options.quiet().isPresent();
    }

    Instant visibleAt(Instant now) {
      var quiet = options.quiet().orElse(Duration.ZERO);
      var delay = options.delay().compareTo(quiet) > 0 ? options.delay() : quiet;
      return Decider.after(now, delay);
    }

    NewTask task(Instant now) {
      return new NewTask(
          0,
          queue(),
          workflow,
          options.key().orElse(""),
          options.priority(),
          visibleAt(now),
          LEASE,
          null,
          null,
          null,
          unique(),
          isDebounced());
    }
  }

  /** A new run, or the one that stands for it: of the same id, or of the same key. */
  Started start(String workflow, String workflowId, Payload input, StartOptions options) {
    var wish = new Wish(workflow, workflowId, input, options);
    var machine = node.machine();
    long end = machine.nanoTime() + node.callTimeout().toNanos();
    do {
      node.checkOpen();
      var started = attempt(wish, null);
      if (started.isPresent()) return started.get();
      machine.park(this, PAUSE.toNanos());
    } while (machine.nanoTime() - end < 0);
    throw new RepriseException(
        ErrorCode.R123,
        "workflow '%s' was not started: one with the same key is beginning, call again"
            .formatted(workflowId));
  }

  /**
   * @param before the run whose workflow id is used again, if there is one
   */
  private Optional<Started> attempt(Wish wish, @Nullable RunRow before) {
    var origin = origin(wish, wish.options.attributes());
    var row = intake.newRow(wish.workflow, wish.workflowId, origin, Status.QUEUED, null, before);
    var tasks = List.of(wish.task(row.startedAt()));
    var replaces = before == null ? null : before.key();
    var start = new Transition.Start(row, List.of(first(wish, row, origin)), tasks, replaces);
    var end = results.watch(row.key());
    Outcome outcome = null;
    try {
      outcome = intake.await(journal.appendCall(start));
    } finally {
      if (outcome != Outcome.STORED) results.forget(row.key());
    }
    if (outcome == Outcome.EXISTS) {
      var latest = intake.replaceable(wish.workflowId, wish.options);
      if (latest != null) return attempt(wish, latest);
      return Optional.of(new Started(withId(wish), null));
    }
    if (outcome == Outcome.DUPLICATE) return withKey(wish).map(found -> new Started(found, null));
    node.queues().announce(wish.queue());
    return Optional.of(new Started(row, end));
  }

  private Origin origin(Wish wish, Map<String, Object> attributes) {
    if (!node.isClient()) node.definition(wish.workflow);
    var hash = node.known(wish.workflow).map(WorkflowDefinition::hash).orElse(null);
    return new Origin(hash, wish.options.timeout().orElse(null), attributes, null, null);
  }

  private static EventRow first(Wish wish, RunRow row, Origin origin) {
    var started =
        new WorkflowStarted(wish.workflow, row.workflowId(), row.runId(), wish.input, origin);
    return EventRow.of(new Recorded(1, row.startedAt(), null, started));
  }

  // ---- one that is there already ----------------------------------------------------------------

  /** The workflow id is taken, perhaps by a call whose answer was lost. */
  private RunRow withId(Wish wish) {
    var same = sameKey(wish);
    boolean isIt = same.isPresent() && same.get().workflowId().equals(wish.workflowId);
    if (isIt && takes(same.get(), wish)) return same.get();
    try {
      return intake.existing(wish.workflow, wish.workflowId, wish.input);
    } catch (RepriseException other) {
      if (isIt || same.isEmpty() || !takes(same.get(), wish)) throw other;
      return same.get();
    }
  }

  /** Empty if it has ended or begun meanwhile, and the key is free, or soon is. */
  private Optional<RunRow> withKey(Wish wish) {
    return sameKey(wish).filter(row -> takes(row, wish));
  }

  private Optional<RunRow> sameKey(Wish wish) {
    var unique = wish.unique();
    if (unique == null) return Optional.empty();
    return node.read(
        () -> {
          var run = store.tasks().runWith(wish.queue(), unique);
          return run.flatMap(key -> store.runs(List.of(key)).stream().findFirst());
        });
  }

  /** One that is debounced waits again, for the last input; not if it is about to begin. */
  private boolean takes(RunRow row, Wish wish) {
    if (!wish.isDebounced()) return true;
    var unique = String.valueOf(wish.unique());
    var start = first(wish, row, origin(wish, AttributesJson.read(row.attributes())));
    var now = node.now();
    var until = wish.visibleAt(now);
    boolean taken = node.read(() -> store.tasks().replace(wish.queue(), unique, start, until, now));
    if (taken) node.queues().announce(wish.queue());
    return taken;
  }
}
