package dev.reprise.examples.endless;

/** Where one can be a member. */
public interface Club {

  /** Makes a card for a new member and returns its number. */
  String card(String member);

  /** Takes the money of a month and returns how much that was. */
  long charge(String card);
}
