package dev.reprise.engine.replay;

import static java.util.Collections.emptyMap;

import dev.reprise.Context;
import dev.reprise.ErrorCode;
import dev.reprise.HandlerFailed;
import dev.reprise.Query;
import dev.reprise.RepriseException;
import dev.reprise.Update;
import dev.reprise.engine.codec.Values;
import dev.reprise.engine.decide.Command;
import dev.reprise.engine.event.Event.UpdateReceived;
import dev.reprise.engine.event.Payload;
import java.lang.reflect.Type;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a workflow answers: queries and updates. Belongs to whoever holds the baton. */
final class Handlers {
  private final LiveRun run;
  private final Values values;
  private final Context context;
  private Map<String, Answer> queries = emptyMap();
  private Map<String, Answer> updates = emptyMap();

  /** How something is answered. */
  private record Answer(
      String what,
      Type argument,
      Type result,
      Context.Validator<@Nullable Object> validator,
      Context.Handler<@Nullable Object, @Nullable Object> handler) {}

  Handlers(LiveRun run, Values values, Context context) {
    this.run = run;
    this.values = values;
    this.context = context;
  }

  @SuppressWarnings("unchecked") // the codec gives what the types say
  void add(Query<?, ?> query, Context.Handler<?, ?> handler) {
    var untyped = (Context.Handler<@Nullable Object, @Nullable Object>) handler;
    var what = "query '" + query.name() + "'";
    var answer = new Answer(what, query.argument(), query.result(), _ -> {}, untyped);
    queries = Sparse.put(queries, query.name(), answer);
  }

  @SuppressWarnings("unchecked") // the codec gives what the types say
  void add(Update<?, ?> update, Context.Validator<?> validator, Context.Handler<?, ?> handler) {
    var checked = (Context.Validator<@Nullable Object>) validator;
    var untyped = (Context.Handler<@Nullable Object, @Nullable Object>) handler;
    var what = "update '" + update.name() + "'";
    var answer = new Answer(what, update.argument(), update.result(), checked, untyped);
    updates = Sparse.put(updates, update.name(), answer);
  }

  // ---- queries ----------------------------------------------------------------------------------

  /** Answers a question while all fibers wait. */
  Payload answer(String query, Payload argument) {
    var answer = queries.get(query);
    if (answer == null) throw unanswered("query", query, queries.keySet());
    var given = values.receive(argument, answer.argument(), "the argument of " + answer.what());
    try {
      var result = Cast.look(() -> answer.handler().handle(given));
      return values.encode(result, answer.result(), "the answer of " + answer.what());
    } catch (RepriseException e) {
      throw e;
    } catch (Exception thrown) {
      throw new HandlerFailed(answer.what(), Failures.of(thrown));
    }
  }

  // ---- updates ----------------------------------------------------------------------------------

  /**
   * Whether a request may come in.
   *
   * @throws RepriseException if not
   */
  void check(String update, Payload argument) {
    var answer = updates.get(update);
    if (answer == null) throw unanswered("update", update, updates.keySet());
    var given = values.receive(argument, answer.argument(), "the argument of " + answer.what());
    try {
      Cast.<@Nullable Object>look(
          () -> {
            answer.validator().check(given);
            return null;
          });
    } catch (RepriseException e) {
      throw e;
    } catch (Exception refused) {
      throw new RepriseException(
          ErrorCode.R126,
          "%s was refused: %s".formatted(answer.what(), refused.getMessage()),
          refused);
    }
  }

  private RepriseException unanswered(String kind, String name, Set<String> known) {
    return new RepriseException(
        ErrorCode.R127,
        "workflow '%s' does not answer the %s '%s'; it answers %s"
            .formatted(run.row().workflowId(), kind, name, new TreeSet<>(known)));
  }

  /** A request came in: its handler begins on a fiber of its own. False if there is none. */
  boolean begin(UpdateReceived update) {
    var answer = updates.get(update.update());
    if (answer == null) return false;
    var cast = run.stage().cast();
    var main = cast.main();
    cast.spawn(main, main.own().inner(), context, _ -> play(answer, update));
    return true;
  }

  private void play(Answer answer, UpdateReceived update) {
    try {
      var what = "the argument of " + answer.what();
      var given = values.decode(update.value(), answer.argument(), what);
      var result = answer.handler().handle(given);
      var payload = values.encode(result, answer.result(), "the answer of " + answer.what());
      record(
          update,
          name -> new Command.AnswerUpdate(update.message(), payload, name),
          "answers " + answer.what());
    } catch (Unwind _) {
      // the run has left memory
    } catch (RepriseException | Error mistake) {
      run.block(mistake);
    } catch (Exception failure) {
      fail(answer, update, failure);
    }
  }

  private void fail(Answer answer, UpdateReceived update, Exception failure) {
    var mistake = Failures.mistake(failure);
    if (mistake != null) {
      run.block(mistake);
      return;
    }
    try {
      record(
          update,
          name -> new Command.FailUpdate(update.message(), Failures.of(failure), name),
          "fails " + answer.what());
    } catch (Unwind _) {
      // the run has left memory
    } catch (RepriseException mismatch) {
      run.block(mismatch);
    }
  }

  /** The answer names its update only where the message id alone would not do. */
  private void record(
      UpdateReceived update, Function<@Nullable String, Command> command, String what) {
    run.stage().cast().enterAnyway();
    boolean isShared = run.stage().state().sharesId(update.update(), update.message());
    run.stage().record(command.apply(isShared ? update.update() : null), what, null);
  }
}
