package dev.reprise.engine.journal;

import dev.reprise.engine.machine.Machine;
import dev.reprise.engine.store.Store;
import java.time.Duration;

/**
 * How long this node may still act on the outside world without asking: by its own monotonic clock,
 * because nobody tells a process that it was frozen.
 *
 * <p>A batch that is sent when it {@linkplain #isDue is due} renews the lease in the database. It
 * counts here from when the batch was sent, which is before the database began to count, and ends a
 * quarter early. While the other nodes cannot see this process, they may fence it after {@link
 * #GRACE}; then it counts for half of that only, and when they see it again it is new only with the
 * next batch.
 */
public final class Lease {
  /** How long a node may be invisible before the others may take it for dead. */
  public static final Duration GRACE = Duration.ofSeconds(1);

  /** Who writes renews it so often, so that the others see a sign of life within their grace. */
  static final Duration OFTEN = GRACE.dividedBy(4);

  private final Machine machine;
  private final Store store;
  private final Duration duration;
  private final long seenNanos;
  private final long unseenNanos = GRACE.toNanos() / 2;
  private volatile Renewal renewal;

  /** When the last batch that renewed it was sent, and during which presence; 0 if during none. */
  private record Renewal(long nanos, int presence) {}

  /** A lease of a node that has asked the database for it at that time. */
  public Lease(Machine machine, Store store, Duration duration, long sentNanos) {
    this.machine = machine;
    this.store = store;
    this.duration = duration;
    this.seenNanos = duration.toNanos() / 4 * 3;
    this.renewal = new Renewal(sentNanos, presence());
  }

  /** Whether nobody else can have this node's runs yet. */
  public boolean isHeld() {
    if (!store.isShared()) return true; // who supersedes this node is the next process on the file
    var last = renewal;
    boolean seen = last.presence != 0 && presence() == last.presence;
    long limit = seen ? seenNanos : Math.min(seenNanos, unseenNanos);
    return machine.nanoTime() - last.nanos < limit;
  }

  /** How long until it should be renewed, even if there is nothing to write. */
  long nanosToRenewal() {
    return renewal.nanos + duration.toNanos() / 3 - machine.nanoTime();
  }

  /** Whether the next batch has to renew it: each does while the others do not see this process. */
  boolean isDue() {
    var last = renewal;
    int presence = presence();
    boolean isNew = machine.nanoTime() - last.nanos < OFTEN.toNanos();
    return presence == 0 || presence != last.presence || !isNew || nanosToRenewal() <= 0;
  }

  /**
   * The number of the time without a break in which the others see this process; 0 if they do not.
   * To be asked when a batch is sent, and given back when it is committed.
   */
  int presence() {
    int absences = store.absences(); // first, so that one that begins now is not missed
    return store.isPresent() ? absences + 1 : 0;
  }

  /** A batch that renews it, sent at that time during that presence, is committed. */
  void renew(long sentNanos, int presence) {
    renewal = new Renewal(sentNanos, presence);
  }
}
