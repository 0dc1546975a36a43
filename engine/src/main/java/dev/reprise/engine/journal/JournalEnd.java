package dev.reprise.engine.journal;

import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.Texts;
import dev.reprise.engine.machine.Machine;
import dev.reprise.engine.machine.Survival;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether and why a journal writes nothing. */
final class JournalEnd {
  private static final Logger LOG = LoggerFactory.getLogger(Journal.class);

  private final Machine machine;
  private final Journal.Listener listener;
  private volatile boolean closing;
  private volatile @Nullable RuntimeException why;

  JournalEnd(Machine machine, Journal.Listener listener) {
    this.machine = machine;
    this.listener = listener;
  }

  Journal.Listener listener() {
    return listener;
  }

  /** The journal ends when nothing is queued, and does not wait for a database that is away. */
  void close() {
    closing = true;
  }

  boolean isClosing() {
    return closing;
  }

  boolean isSet() {
    return why != null;
  }

  @Nullable RuntimeException why() {
    return why;
  }

  /** Ends it; the first reason counts. False if it had ended before. */
  boolean set(RuntimeException reason) {
    synchronized (this) {
      if (why != null) return false;
      why = reason;
    }
    tell(reason); // before anybody hears of a failure: it must be clear what it means
    return true;
  }

  /** Again and again while there is no memory: else nobody would take this node's place. */
  private void tell(RuntimeException reason) {
    for (; ; ) {
      try {
        listener.stopped(reason);
        return;
      } catch (OutOfMemoryError full) {
        Survival.pause(machine);
      }
    }
  }

  /** Everything is committed, and nothing follows. */
  synchronized void setClosed() {
    if (why == null) why = new RepriseException(ErrorCode.R119, "the engine is closed");
  }

  /** Ends it after something that is no transition's fault. */
  void after(Throwable t) {
    for (; ; ) {
      try {
        var code = closing ? ErrorCode.R118 : ErrorCode.R143;
        set(new RepriseException(code, "the journal stopped: " + t, t));
        LOG.atError().setCause(Texts.shown(t)).log("the journal stopped");
        return;
      } catch (OutOfMemoryError full) {
        Survival.pause(machine);
      }
    }
  }
}
