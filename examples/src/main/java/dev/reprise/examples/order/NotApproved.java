package dev.reprise.examples.order;

/** Nobody approved the order in time; the customer has the money back. */
public final class NotApproved extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NotApproved(String order) {
    super("nobody approved " + order + " in time");
  }
}
