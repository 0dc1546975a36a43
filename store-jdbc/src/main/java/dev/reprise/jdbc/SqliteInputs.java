package dev.reprise.jdbc;

import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.Store.Outcome;
import dev.reprise.engine.store.Transition.Delivery;

/** Writes the inputs that wait for runs, inside of the transaction of a batch. */
record SqliteInputs(Jdbc jdbc) {

  static final String IS_OPEN =
      "SELECT 1 FROM runs WHERE run_key = ? AND status IN ('RUNNING', 'BLOCKED', 'QUEUED')";

  Outcome accept(InputRow input) {
    if (jdbc.first(IS_OPEN, columns -> columns.getInt(1), input.run()).isEmpty()) {
      return Outcome.NOT_OPEN;
    }
    insert(input);
    return Outcome.STORED;
  }

  static final String OPEN_RUN =
      """
      SELECT run_key
        FROM workflows
        JOIN runs USING (run_key)
       WHERE workflows.workflow_id = ?1 AND status IN ('RUNNING', 'BLOCKED', 'QUEUED')
         AND (?2 IS NULL OR run_id = ?2)
      """;

  /** Nobody waits for what is sent to a closed workflow. */
  void deliver(Delivery delivery) {
    jdbc.first(OPEN_RUN, columns -> columns.getLong(1), delivery.workflowId(), delivery.runId())
        .ifPresent(run -> insert(delivery.toInput(run)));
  }

  static final String INSERT =
      """
      INSERT INTO inbox (run_key, kind, name, message, value, accepted_at, checksum)
      VALUES (?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT (run_key, message, kind, name) DO NOTHING
      """;

  private void insert(InputRow input) {
    jdbc.update(
        INSERT,
        input.run(),
        input.kind(),
        input.name(),
        input.message(),
        input.value(),
        input.acceptedAt(),
        input.checksum());
  }

  static final String CARRY_OVER = "UPDATE inbox SET run_key = ? WHERE run_key = ?";

  void carryOver(long run, long next) {
    jdbc.update(CARRY_OVER, next, run);
  }
}
