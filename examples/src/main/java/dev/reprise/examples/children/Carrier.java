package dev.reprise.examples.children;

import dev.reprise.TerminalFailure;
import dev.reprise.examples.children.Order.Box;

/** Fetches boxes from warehouses. */
public interface Carrier {

  /** Orders somebody to fetch the box and returns the number of the parcel. */
  String fetch(Box box);

  /** The warehouse has to be asked, not the carrier. */
  final class NothingThere extends TerminalFailure {
    private static final long serialVersionUID = 1L;

    public NothingThere(Box box) {
      super("nothing to fetch from " + box.warehouse());
    }
  }
}
