package dev.reprise.verification.chaos;

/**
 * One attempt of an activity, as the ledger has it.
 *
 * @param workflowId of which workflow
 * @param step which of its activities
 * @param nanos the monotonic clock of the machine, which all its processes share
 * @param pid which process
 */
record Effect(String workflowId, Step step, long nanos, long pid) {

  static Effect now(String workflowId, Step step) {
    return new Effect(workflowId, step, System.nanoTime(), ProcessHandle.current().pid());
  }

  String line() {
    return workflowId + " " + step + " " + nanos + " " + pid;
  }

  static Effect parse(String line) {
    var words = line.split(" ");
    return new Effect(
        words[0], Step.valueOf(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3]));
  }
}
