package dev.reprise.engine.replay;

import java.util.List;

/** Whether code follows a recorded history. */
public sealed interface Verdict {

  /** How R101 says that nothing is lost; what follows in that line is for the operator. */
  String HARMLESS = "Nothing was written and nothing failed: the run waits.";

  /**
   * It does, from the first event to the last.
   *
   * @param waitingFor what its branches wait for at the end of the history, activities that it
   *     would begin there included; empty if it ends
   */
  record Follows(List<String> waitingFor) implements Verdict {
    public Follows {
      waitingFor = List.copyOf(waitingFor);
    }
  }

  /**
   * It takes another path, or makes a mistake on the way: an engine would block the run.
   *
   * @param followed how many events it has followed
   * @param reason what an engine would say about it
   * @param mistake what led to it
   */
  record Departs(int followed, String reason, Throwable mistake) implements Verdict {}

  /**
   * It does not come back to its context.
   *
   * @param reason where it is
   * @param where the stack of its thread
   */
  record Hangs(String reason, Throwable where) implements Verdict {}
}
