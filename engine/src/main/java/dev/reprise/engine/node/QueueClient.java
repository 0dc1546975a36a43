package dev.reprise.engine.node;

import dev.reprise.Completion;
import dev.reprise.ErrorCode;
import dev.reprise.FailureInfo;
import dev.reprise.QueueDescription;
import dev.reprise.QueueLimits;
import dev.reprise.RepriseException;
import dev.reprise.RetryPolicy;
import dev.reprise.Texts;
import dev.reprise.engine.codec.Values;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Event.ActivityScheduled;
import dev.reprise.engine.event.EventBytes;
import dev.reprise.engine.event.EventType;
import dev.reprise.engine.event.Payload;
import dev.reprise.engine.event.RetryJson;
import dev.reprise.engine.replay.Failures;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.QueueView;
import dev.reprise.engine.store.Report;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.task.Ending;
import dev.reprise.engine.task.Reports;
import dev.reprise.engine.task.TaskDecider;
import dev.reprise.engine.task.TaskToken;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What callers ask about queues, and activities that are completed from outside. */
final class QueueClient {
  private static final List<EventType> ENDS =
      List.of(
          EventType.ACTIVITY_COMPLETED,
          EventType.ACTIVITY_FAILED,
          EventType.ACTIVITY_RETRY_SCHEDULED,
          EventType.ACTIVITY_CANCELLED);

  private final Incarnations nodes;

  QueueClient(Incarnations nodes) {
    this.nodes = nodes;
  }

  // ---- from outside -----------------------------------------------------------------------------

  Completion complete(String text, @Nullable Object result) {
    var token = TaskToken.parse(text);
    return nodes.call(
        node -> {
          var asked = asked(node, token);
          var payload = fitting(node.values(), asked.activity(), result);
          return end(node, asked, token, new Ending.Returned(payload));
        });
  }

  Completion fail(String text, @Nullable Throwable failure) {
    var token = TaskToken.parse(text);
    if (failure == null) {
      throw new RepriseException(
          ErrorCode.R136, "the failure is null: give the exception that says what went wrong");
    }
    return nodes.call(
        node -> {
          var asked = asked(node, token);
          var policy = policy(node, token, asked.activity());
          boolean terminal = Failures.isTerminal(failure, policy);
          var threw =
              new Ending.Threw(Failures.of(failure), terminal, Failures.retryAfter(failure));
          return end(node, asked, token, threw);
        });
  }

  /** What a token is about. */
  private record Asked(RunRow row, EventRow event, ActivityScheduled activity) {}

  private static Asked asked(Node node, TaskToken token) {
    var row = node.read(() -> node.store().runs(List.of(token.ref().run())));
    var events = node.read(() -> node.store().history(token.ref().run(), token.ref().index(), 1));
    if (row.isEmpty() || events.isEmpty()) throw TaskToken.unknown();
    var event = events.getFirst();
    if (event.type() == EventType.ACTIVITY_SCHEDULED.code()
        && event.recorded().event() instanceof ActivityScheduled activity
        && activity.secret() == token.secret()) {
      return new Asked(row.getFirst(), event, activity);
    }
    throw TaskToken.unknown();
  }

  private static Completion end(Node node, Asked asked, TaskToken token, Ending ending) {
    var activity = asked.activity();
    var found = node.read(() -> node.store().tasks().find(token.ref()));
    boolean cancelled = found.isPresent() && found.get().cancelled();
    var until = found.isEmpty() ? null : found.get().task().until();
    var made =
        new TaskDecider.Made(
            activity,
            asked.event().at(),
            token.attempt(),
            until,
            policy(node, token, activity),
            cancelled);
    var now = node.now();
    var verdict = TaskDecider.ended(made, ending, now, node.machine().random().nextDouble());
    var report =
        Reports.fromOutside(token.ref(), asked.row().runId(), token.attempt(), verdict, now);
    var input = report.input();
    int cost = node.budget().take(input == null ? 0 : input.value().length);
    var answer = node.budget().until(node.queues().workers().report(report), cost);
    var reply = node.intake().await(answer);
    return switch (reply) {
      case ACCEPTED -> {
        node.queues().announce(activity.queueing().queue());
        yield Completion.ACCEPTED;
      }
      case STALE, GONE -> {
        if (isRepeated(node, asked, token, ending, reply)) yield Completion.ALREADY_COMPLETED;
        throw stale(activity, token);
      }
    };
  }

  private static RetryPolicy policy(Node node, TaskToken token, ActivityScheduled activity) {
    var ofCall = activity.queueing().retry();
    if (ofCall != null) return ofCall;
    return node.read(() -> node.store().tasks().find(token.ref()))
        .flatMap(task -> Optional.ofNullable(task.retry()))
        .map(RetryJson::parse)
        .orElse(node.runSettings().retry());
  }

  /** Whether the attempt has ended in this very way before. */
  private static boolean isRepeated(
      Node node, Asked asked, TaskToken token, Ending ending, Report.Reply reply) {
    var id = asked.activity().call().id();
    var end =
        reported(node, asked.row().key()).filter(event -> isEndOf(event, id, token)).findFirst();
    if (end.isEmpty()) {
      // Its run was closed before it heard of the end: by this, unless it was given up.
      return reply == Report.Reply.GONE
          && asked.row().status().isClosed()
          && recorded(node, asked.row().key(), EventType.ACTIVITY_CANCEL_REQUESTED)
              .noneMatch(event -> event.equals(new Event.ActivityCancelRequested(id)));
    }
    return switch (end.get()) {
      case Event.ActivityFailed failed -> isSame(ending, failed.failure());
      case Event.ActivityRetryScheduled retry -> isSame(ending, retry.failure());
      case Event.ActivityCancelled _ -> false;
      default -> true;
    };
  }

  /** What the run was told about attempts, whether it has taken it in or not. */
  private static Stream<Event> reported(Node node, long run) {
    var recorded = ENDS.stream().flatMap(type -> recorded(node, run, type));
    var waiting =
        node.read(() -> node.store().inputs(run)).stream()
            .filter(input -> input.kind() == InputRow.Kind.ACTIVITY)
            .map(input -> EventBytes.read(input.value()));
    return Stream.concat(recorded, waiting);
  }

  private static Stream<Event> recorded(Node node, long run, EventType type) {
    return node.read(() -> node.store().eventsOfType(run, type.code())).stream()
        .map(row -> row.recorded().event());
  }

  private static boolean isEndOf(Event event, String id, TaskToken token) {
    return switch (event) {
      case Event.ActivityCompleted(var call, var attempt, _) ->
          call.id().equals(id) && attempt == token.attempt();
      case Event.ActivityFailed(var call, var attempt, _) ->
          call.id().equals(id) && attempt == token.attempt();
      case Event.ActivityRetryScheduled(var call, var attempt, _, _) ->
          call.id().equals(id) && attempt == token.attempt();
      case Event.ActivityCancelled(var call, var attempt) ->
          call.id().equals(id) && attempt == token.attempt();
      default -> false;
    };
  }

  /** Its own failure, told again; another one is that its time was over, for example. */
  private static boolean isSame(Ending ending, FailureInfo recorded) {
    return ending instanceof Ending.Threw threw
        && threw.failure().type().equals(recorded.type())
        && Objects.equals(threw.failure().message(), recorded.message());
  }

  private static RepriseException stale(ActivityScheduled activity, TaskToken token) {
    return new RepriseException(
        ErrorCode.R134,
        "attempt %d of activity %s counts no more (STALE_ATTEMPT): it was handed out again since, or"
                .formatted(token.attempt(), activity.call().id())
            + " has ended otherwise");
  }

  /** A result of another type would fail the workflow later: the caller is told now. */
  private static Payload fitting(
      Values values, ActivityScheduled activity, @Nullable Object result) {
    var what = "the result of " + activity.call().id();
    var type = known(activity.result());
    if (type == void.class) return Payload.none();
    var payload = values.encode(result, what);
    if (type == null) return payload; // the class is not here: its workflow notices
    try {
      var _ = values.decode(payload, type, what);
    } catch (RepriseException misfit) {
      throw new RepriseException(
          ErrorCode.R136,
          "activity %s returns %s: %s"
              .formatted(activity.call().name(), activity.result(), misfit.getMessage()),
          misfit);
    }
    return payload;
  }

  /** The class of that name, without its type arguments; null if it is not here. */
  private static @Nullable Class<?> known(String name) {
    int generic = name.indexOf('<');
    var raw = generic < 0 ? name : name.substring(0, generic);
    if (raw.equals("void") || raw.equals(Void.class.getName())) return void.class;
    try {
      var loader = Thread.currentThread().getContextClassLoader();
      return switch (raw) {
        case "int" -> int.class;
        case "long" -> long.class;
        case "double" -> double.class;
        case "boolean" -> boolean.class;
        default -> Class.forName(raw, false, loader);
      };
    } catch (ClassNotFoundException | LinkageError notHere) {
      return null;
    }
  }

  // ---- queues -----------------------------------------------------------------------------------

  QueueDescription queue(String queue) {
    Texts.checked(queue, "queue", Texts.MAX_NAME);
    return nodes.call(node -> node.read(() -> QueueView.of(node.store(), queue, node.now())));
  }

  List<QueueDescription> queues() {
    return nodes.call(node -> node.read(() -> QueueView.of(node.store(), node.now())));
  }

  void limit(String queue, QueueLimits limits) {
    Texts.checked(queue, "queue", Texts.MAX_NAME);
    nodes.call(
        node -> {
          node.read(
              () -> {
                node.store().tasks().limit(queue, limits);
                return queue;
              });
          node.queues().announce(queue);
          return queue;
        });
  }
}
