package dev.reprise.engine.task;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.engine.codec.Values;
import dev.reprise.engine.event.Event.ActivityScheduled;
import dev.reprise.engine.event.Payload;
import dev.reprise.engine.machine.Machine;
import dev.reprise.engine.replay.AttemptContext;
import dev.reprise.engine.store.Handout;
import dev.reprise.engine.store.TaskStore.Beat;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** What one attempt of an activity on a queue knows about itself. */
final class QueuedContext extends AttemptContext {
  private static final int BEATS = 4; // heartbeats that reach the store while a lease lasts
  private static final Duration LONGEST = Duration.ofSeconds(10); // until a cancel is noticed

  private final Handout task;
  private final ActivityScheduled activity;
  private final Values values;
  private final Machine machine;
  private final Reporter reporter;
  private final long pause; // nanoseconds between two heartbeats that reach the store
  private final Duration patience;
  private byte @Nullable [] details; // what the store does not know yet
  private Instant leaseUntil;
  private long last;
  private boolean begun;
  private boolean later;
  private boolean lost;

  QueuedContext(
      Handout task, ActivityScheduled activity, Values values, Machine machine, Reporter reporter) {
    super(task.workflowId(), task.runId(), activity.call().id(), task.attempt(), machine);
    this.task = task;
    this.activity = activity;
    this.values = values;
    this.machine = machine;
    this.reporter = reporter;
    this.leaseUntil = task.leaseUntil();
    var lease = activity.queueing().lease();
    var share = lease.dividedBy(BEATS);
    this.pause = (share.compareTo(LONGEST) > 0 ? LONGEST : share).toNanos();
    this.patience = lease;
  }

  @Override
  public boolean heartbeat(@Nullable Object how) {
    isHeard();
    Beat beat;
    synchronized (this) {
      if (lost) throw stale();
      if (how != null) details = encoded(how);
      long now = machine.nanoTime();
      if (begun && now - last < pause) return cancelled();
      begun = true;
      last = now;
      beat = new Beat(task.ref(), task.attempt(), task.hand(), details);
      details = null;
    }
    send(beat);
    return cancelled();
  }

  private byte[] encoded(Object how) {
    return values.encode(how, "the heartbeat of " + activityId()).bytes();
  }

  /** Without an answer the attempt goes on: the lease may outlast the trouble. */
  private void send(Beat beat) {
    try {
      var answer = machine.await(reporter.beat(beat), patience);
      if (!answer.isHeld() || answer.leaseUntil() == null) {
        lose();
        throw stale();
      }
      synchronized (this) {
        leaseUntil = answer.leaseUntil();
      }
      if (answer.cancelled()) cancel();
    } catch (TimeoutException | ExecutionException unanswered) {
      synchronized (this) {
        if (details == null) details = beat.details();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Somebody else has the task: nothing of this attempt counts any more. */
  void lose() {
    synchronized (this) {
      lost = true;
    }
    cancel();
  }

  /** Whether it is known here that nothing of this attempt counts any more. */
  synchronized boolean isLost() {
    return lost;
  }

  private RepriseException stale() {
    return new RepriseException(
        ErrorCode.R134,
        "attempt %d of activity %s of workflow '%s' counts no more: nothing was heard of it for %s,"
                .formatted(attempt(), activityId(), workflowId(), activity.queueing().lease())
            + " or it has ended otherwise. Send heartbeats more often, or give it a longer"
            + " visibility timeout");
  }

  @Override
  @SuppressWarnings("unchecked") // the codec gives what the type says
  public <T> Optional<T> lastHeartbeat(Class<T> type) {
    if (task.heartbeat() == null) return Optional.empty();
    var what = "the last heartbeat of " + activityId();
    return Optional.ofNullable((T) values.decode(Payload.of(task.heartbeat()), type, what));
  }

  @Override
  public synchronized String completeLater() {
    later = true;
    return new TaskToken(task.ref(), task.attempt(), activity.secret()).toString();
  }

  /** Whether somebody completes it from outside. */
  synchronized boolean isCompletedLater() {
    return later;
  }

  /** When the lease is over, as far as is known here. */
  synchronized Instant leaseUntil() {
    return leaseUntil;
  }

  /** Details of a heartbeat that the store does not know. */
  synchronized byte @Nullable [] unsentDetails() {
    return details;
  }
}
