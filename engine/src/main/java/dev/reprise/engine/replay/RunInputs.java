package dev.reprise.engine.replay;

import static java.util.Collections.emptyMap;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.engine.decide.Decider;
import dev.reprise.engine.decide.Input;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.EventBytes;
import dev.reprise.engine.event.Payload;
import dev.reprise.engine.journal.Ticket;
import dev.reprise.engine.replay.Baton.Message;
import dev.reprise.engine.replay.LiveRun.Reply;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.Store.Outcome;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How inputs come into a run: those that the store has accepted, and those that are sent to it
 * here. Belongs to whoever holds the baton, except for what callers call.
 */
final class RunInputs {
  private final LiveRun run;
  private final Outbox outbox;
  private final InputLine line = new InputLine();
  private Map<String, List<Asker>> updates = emptyMap(); // by message id

  RunInputs(LiveRun run, Outbox outbox) {
    this.run = run;
    this.outbox = outbox;
  }

  InputLine line() {
    return line;
  }

  // ---- from the store ---------------------------------------------------------------------------

  /** Takes in the next one that the store has accepted, a round of its own. */
  boolean next() {
    var input = line.next();
    if (input == null) return false;
    if (input.damaged()) throw damaged(input);
    var meaning = meaning(input.kind(), input.name(), input.message(), Payload.of(input.value()));
    Ticket.Listener settled = (_, _) -> run.post(() -> line.settled(input));
    if (isEnd(decide(meaning))) {
      outbox.consumeAtEnd(input.id());
      outbox.onEnd(settled);
    } else {
      outbox.consume(input.id());
      outbox.onDurable(settled);
    }
    take(meaning);
    return true;
  }

  private static RepriseException damaged(InputRow input) {
    return new RepriseException(
        ErrorCode.R145,
        "input %d, which waits for the workflow, is damaged: its checksum does not fit"
            .formatted(input.id()));
  }

  private Optional<Event> decide(Input input) {
    return Decider.decide(run.stage().state(), input, run.now());
  }

  /** Whether it is recorded with the end of the run, and not before. */
  private static boolean isEnd(Optional<Event> decided) {
    return decided.isPresent() && decided.get().isTerminal();
  }

  /** Whether somebody ends the run without its code. */
  static boolean endsAtOnce(List<InputRow> waiting) {
    return waiting.stream()
        .anyMatch(
            input ->
                !input.damaged()
                    && (input.kind() == InputRow.Kind.TERMINATE
                        || input.kind() == InputRow.Kind.TERMINATE_AND_UNDO));
  }

  private Input meaning(InputRow.Kind kind, String name, @Nullable String message, Payload value) {
    return switch (kind) {
      case SIGNAL -> new Input.SignalSent(name, value, message);
      case CANCEL -> new Input.CancelSent(name, value.toString());
      case TERMINATE -> new Input.TerminateSent(name, value.toString(), false);
      case TERMINATE_AND_UNDO -> new Input.TerminateSent(name, value.toString(), true);
      case CHILD -> ended(name, EventBytes.read(value.bytes()));
      case ACTIVITY -> reported(name, EventBytes.read(value.bytes()));
      case UPDATE -> update(name, message == null ? "" : message, value);
    };
  }

  /** A report that was waiting when the run before this one went on is about a child of that. */
  private Input ended(String parentRun, Event report) {
    boolean isOurs = parentRun.equals(run.row().runId().toString());
    return new Input.ChildEnded(isOurs ? report.subject() : "", report);
  }

  /** The same for what was put on a queue by the run before. */
  private Input reported(String askingRun, Event report) {
    boolean isOurs = askingRun.equals(run.row().runId().toString());
    var known = run.stage().renames().apply(report);
    run.checkReport(known); // or it waits in the store until the code can read it
    return new Input.TaskReported(isOurs ? known.subject() : "", known);
  }

  /** One whose sender waits elsewhere: he is told by an event if it is refused. */
  private Input update(String name, String message, Payload value) {
    try {
      run.checkUpdate(name, value);
      return new Input.UpdateSent(name, message, value);
    } catch (RepriseException refused) {
      return new Input.UpdateUnwanted(
          name, message, refused.code(), String.valueOf(refused.getMessage()));
    }
  }

  private void take(Input input) {
    if (input instanceof Input.TerminateSent terminate) run.terminate(terminate);
    else run.enter(input, null);
  }

  // ---- from callers in this process -------------------------------------------------------------

  /** Takes an input in. The answer comes when it is durable. Any thread may call it. */
  CompletableFuture<Reply> accept(
      InputRow.Kind kind, String name, @Nullable String message, Payload value) {
    var reply = new CompletableFuture<Reply>();
    run.send(
        new Sent(reply) {
          @Override
          void taken() {
            if (kind == InputRow.Kind.SIGNAL) {
              try {
                run.checkSignal(name, value);
              } catch (RepriseException unreadable) {
                reply.completeExceptionally(unreadable);
                return;
              }
            }
            var input = meaning(kind, name, message, value);
            var decided = decide(input);
            if (decided.isEmpty()) {
              outbox.afterAll(this::told); // it is in the history, perhaps not on the disk yet
              return;
            }
            if (isEnd(decided)) outbox.onEnd(this::told);
            else outbox.onDurable(this::told);
            take(input);
          }

          private void told(@Nullable Outcome outcome, @Nullable RuntimeException failure) {
            if (failure == null) reply.complete(Reply.ACCEPTED);
            else if (isInDoubt(failure)) reply.completeExceptionally(failure);
            else reply.complete(Reply.GONE);
          }
        });
    return reply;
  }

  /** Whether it may be stored all the same: then it must not be sent once more. */
  private static boolean isInDoubt(RuntimeException failure) {
    return failure instanceof RepriseException e && e.code() == ErrorCode.R123;
  }

  /**
   * Sends a request. The answer is the event that has it; or empty of one if only the store knows.
   *
   * @param settled run once, when it is clear whether the request is recorded
   * @throws RepriseException by the answer, if the run refuses it
   */
  CompletableFuture<Optional<Event>> update(
      String name, Payload value, String message, Runnable settled) {
    var answer = new CompletableFuture<Optional<Event>>();
    var reply = new CompletableFuture<Reply>();
    var _ =
        reply.thenAccept(
            taken -> {
              settled.run();
              if (taken == Reply.GONE) answer.complete(Optional.empty());
            });
    run.send(
        new Sent(reply) {
          @Override
          void taken() {
            if (run.stage().state().hasTakenUpdate(name, message) || run.hasCodeEnded()) {
              refuse(); // what the store says counts
              return;
            }
            try {
              run.checkUpdate(name, value);
            } catch (RepriseException refused) {
              answer.completeExceptionally(refused);
              refuse();
              return;
            }
            await(message, new Asker(name, answer));
            outbox.onDurable((_, _) -> reply.complete(Reply.ACCEPTED));
            run.enter(new Input.UpdateSent(name, message, value), null);
          }
        });
    return answer;
  }

  /** Requests were answered: who asked is told when that is durable. */
  void answered(String message, @Nullable String update, Event event) {
    for (var asker : updates.getOrDefault(message, List.of())) {
      if (update != null && !update.equals(asker.update())) continue;
      done(message, asker);
      outbox.onDurable(
          (_, failure) ->
              asker.answer().complete(failure == null ? Optional.of(event) : Optional.empty()));
      return;
    }
  }

  private void await(String message, Asker asker) {
    var others = updates.getOrDefault(message, List.of());
    updates =
        Sparse.put(updates, message, Stream.concat(others.stream(), Stream.of(asker)).toList());
  }

  private void done(String message, Asker asker) {
    var others =
        updates.getOrDefault(message, List.of()).stream()
            .filter(other -> !other.update().equals(asker.update()))
            .toList();
    if (others.isEmpty()) updates.remove(message);
    else updates.put(message, others);
  }

  /** The run leaves memory: who waits has to look elsewhere. */
  void gone() {
    for (var askers : updates.values()) {
      askers.forEach(asker -> asker.answer().complete(Optional.empty()));
    }
    updates.clear();
  }

  /** A caller that waits for the answer of an update; each has a name of its own for an id. */
  private record Asker(String update, CompletableFuture<Optional<Event>> answer) {}

  /** Something from a caller, which may come at any time. */
  abstract class Sent implements Message {
    private final CompletableFuture<Reply> reply;

    Sent(CompletableFuture<Reply> reply) {
      this.reply = reply;
    }

    abstract void taken();

    @Override
    public boolean isInternal() {
      return true;
    }

    @Override
    public void handle() {
      if (!run.hasBegun()) {
        refuse(); // its turn may be far away, and the store can take the input now
      } else if (run.isLeaving() || line.isFetching()) {
        run.defer(this);
      } else {
        taken();
      }
    }

    @Override
    public void refuse() {
      reply.complete(Reply.GONE);
    }
  }

  /** What a run without code answers to every request. */
  static RepriseException noCode(String workflowId) {
    return new RepriseException(
        ErrorCode.R127,
        "the code of workflow '%s' has ended, it answers nothing any more".formatted(workflowId));
  }
}
