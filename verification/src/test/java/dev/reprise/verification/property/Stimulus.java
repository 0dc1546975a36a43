package dev.reprise.verification.property;

import dev.reprise.Fork;
import dev.reprise.RepriseException;
import dev.reprise.engine.event.Payload;
import dev.reprise.engine.store.InputRow.Kind;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** What can happen to runs from outside. */
sealed interface Stimulus {

  /** An attempt of an activity ends. */
  record Ends(String key, boolean well) implements Stimulus {}

  /** Time passes. */
  record Passes(Instant then) implements Stimulus {}

  /** Somebody sends something. */
  record Sent(String workflowId, Kind kind, String name, String message, String value)
      implements Stimulus {}

  /** Somebody forks a run under another id; what it does is named after that. */
  record Forked(String workflowId, int index, String as, String input) implements Stimulus {}

  /** Somebody lets a held run go on. */
  record Resumed(String workflowId) implements Stimulus {}

  /** Lets it happen, as far as it still can: not to an activity that nobody waits for any more. */
  default void happen(Life life) {
    try {
      switch (this) {
        case Ends(var key, var well) -> life.gate().end(key, well);
        case Passes(var then) -> life.time().advanceTo(then);
        case Sent sent -> send(life, sent);
        case Forked(var id, var index, var as, var input) ->
            life.node().intake().fork(Fork.of(id, index).as(as).input(input));
        case Resumed(var id) -> life.node().control().resume(id, "test");
      }
    } catch (RepriseException e) {
      if (!life.isOver()) throw e;
    }
  }

  private static void send(Life life, Sent sent) {
    switch (sent.kind()) {
      case TERMINATE, TERMINATE_AND_UNDO ->
          life.node()
              .control()
              .terminate(
                  sent.workflowId(), sent.name(), sent.value(), sent.kind() != Kind.TERMINATE);
      case SIGNAL, UPDATE -> accept(life, sent, Life.json(sent.value()));
      case CANCEL -> accept(life, sent, Payload.of(sent.value().getBytes(StandardCharsets.UTF_8)));
      case CHILD -> throw new IllegalArgumentException("only a child can send its end");
    }
  }

  private static void accept(Life life, Sent sent, Payload value) {
    life.node().intake().accept(sent.workflowId(), sent.kind(), sent.name(), sent.message(), value);
  }
}
