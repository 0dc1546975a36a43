package dev.reprise.engine.machine;

import java.util.concurrent.atomic.AtomicLong;

/** Counts work that is handed to another thread, so that it is known when all of it is done. */
public final class Errands {
  private final AtomicLong begun = new AtomicLong();
  private final AtomicLong ended = new AtomicLong();

  /** The same work, which counts from now on until it has been done. */
  public Runnable counted(Runnable work) {
    begun.incrementAndGet();
    return new Errand(work);
  }

  /** It counts once, also if it is done again after an error. */
  private final class Errand implements Runnable {
    private final Runnable work;
    private boolean isCounted;

    private Errand(Runnable work) {
      this.work = work;
    }

    @Override
    public void run() {
      try {
        work.run();
      } finally {
        if (!isCounted) ended.incrementAndGet();
        isCounted = true;
      }
    }
  }

  /** Whether nothing is under way. */
  public boolean areDone() {
    return ended.get() == begun.get(); // in this order: what begins in between is not missed
  }

  /** How many there have ever been. */
  public long count() {
    return begun.get();
  }
}
