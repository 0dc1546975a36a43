package dev.reprise.verification.simulation;

import dev.reprise.Context;
import dev.reprise.Key;
import dev.reprise.Query;
import dev.reprise.Signal;
import dev.reprise.Update;
import dev.reprise.Workflow;
import org.jspecify.annotations.Nullable;

/** Runs the program of its input, and returns what it saw. */
final class Play implements Workflow<Long, @Nullable String> {
  static final Signal<String> NOTE = Signal.of("note", String.class);
  static final Update<String, String> CHANGE = Update.of("change", String.class, String.class);
  static final Query<String, Integer> CHANGES = Query.of("changes", String.class, Integer.class);
  static final Key<String> NOTES = Key.of("notes", String.class);
  static final Key<Integer> TOLD = Key.of("told", Integer.class);

  private final Work work;
  private final Jobs jobs;

  Play(Work work, Jobs jobs) {
    this.work = work;
    this.jobs = jobs;
  }

  @Override
  public @Nullable String run(Context ctx, Long number) {
    return new Scene(ctx, work, jobs, number).play();
  }
}
