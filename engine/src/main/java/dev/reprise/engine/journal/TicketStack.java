package dev.reprise.engine.journal;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Tickets that are queued for the writer, without a lock: the newest is on top. */
final class TicketStack {
  private final AtomicReference<@Nullable Ticket> top = new AtomicReference<>();

  void push(Ticket ticket) {
    Ticket head;
    do {
      head = top.get();
      ticket.next = head;
      ticket.depth = depth(head) + 1;
    } while (!top.compareAndSet(head, ticket));
  }

  boolean isEmpty() {
    return top.get() == null;
  }

  /** Whether that one is all there is. */
  boolean isOnly(Ticket ticket) {
    return ticket.next == null && top.get() == ticket;
  }

  /** How many are queued. */
  int depth() {
    return depth(top.get());
  }

  private static int depth(@Nullable Ticket ticket) {
    return ticket == null ? 0 : ticket.depth;
  }

  /** Takes all, the oldest first. */
  @Nullable Ticket takeAll() {
    Ticket first = null;
    for (var t = top.getAndSet(null); t != null; ) {
      var older = t.next;
      t.next = first;
      first = t;
      t = older;
    }
    return first;
  }
}
