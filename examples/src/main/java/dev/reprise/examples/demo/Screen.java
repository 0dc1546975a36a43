package dev.reprise.examples.demo;

import java.io.PrintStream;

/** Prints for people: in columns, and with a little colour where a terminal shows it. */
final class Screen {
  private static final String BOLD = "1";
  private static final String GREEN = "32";
  private static final String RED = "1;31";
  private static final String PLAIN = "0";

  private final PrintStream out;
  private final boolean coloured = isTerminal() && System.getenv("NO_COLOR") == null;

  Screen(PrintStream out) {
    this.out = out;
  }

  private static boolean isTerminal() {
    var console = System.console();
    return console != null && console.isTerminal();
  }

  /** A new part of the story begins. */
  void title(String text) {
    out.println();
    out.println(ink(BOLD, text));
    out.println();
  }

  void say(String text) {
    out.println(("  " + text).stripTrailing());
  }

  /** Something happens. */
  void act(String what, String details) {
    act(PLAIN, what, details);
  }

  /** An activity has completed. */
  void done(String activity, String result) {
    act(GREEN, "done", "%-24s%s".formatted(activity, result));
  }

  /** Something terrible happens. */
  void alarm(String what, String details) {
    act(RED, what, details);
  }

  private void act(String colour, String what, String details) {
    say(ink(colour, "%-10s".formatted(what)) + details);
  }

  private String ink(String colour, String text) {
    return coloured && !colour.equals(PLAIN) ? "\033[" + colour + "m" + text + "\033[0m" : text;
  }
}
