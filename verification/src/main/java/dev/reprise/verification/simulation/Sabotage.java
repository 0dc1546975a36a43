package dev.reprise.verification.simulation;

import java.util.Locale;

/**
 * Bugs that engines like this one have had, to be brought back one at a time: what the simulation
 * does not find, it would not find in our own code either. They are done to the engine from below,
 * through its ports.
 */
enum Sabotage {
  NONE("nothing"),
  SKIP_THE_FENCE("a node that was fenced may still write"),
  FENCE_WITHOUT_WAITING("what was sent before the fence is committed after it"),
  ACKNOWLEDGE_BEFORE_COMMIT("the store says it is stored, and stores it a moment later"),
  FORGET_THE_RECEIPT("a batch whose answer was lost is committed again"),
  FORGET_LOST_CLAIMS("runs of a claim whose answer was lost are nobody's"),
  TEAR_BATCHES("half of a batch is stored when the connection breaks"),
  SHUFFLE_BATCHES("transitions of a batch take effect in any order"),
  READ_THE_INBOX_BY_CURSOR("inputs with a lower number than the last one seen are not seen"),
  LOCK_TOO_WEAKLY("that the run is open is checked before its input is stored, not with it"),
  DROP_INPUTS_AT_CLOSE("a run closes although inputs wait"),
  CONSUME_BEFORE_RECORDING("an input leaves the inbox in one transaction, and enters in the next"),
  RECORD_WITHOUT_CONSUMING("an input enters the history and stays in the inbox"),
  REVERSE_INPUTS("inputs are read the newest first"),
  FORGET_MESSAGE_IDS("a signal that is sent again enters again"),
  ONE_MESSAGE_SPACE("a signal with the message id of an update, or the reverse, is dropped"),
  DROP_CANCELS("a cancel is acknowledged and not stored"),
  FIRE_TIMERS_EARLY("the clock of a node is ahead of that of the database"),
  READ_CLOCKS_IN_THE_WRONG_ORDER("a node reads its own clock before the one that it sets it by"),
  FORGET_WAKE_TIMES("when a waiting run is due is not stored"),
  CLAIM_WITHOUT_LOCK("two nodes may claim the same run at the same time"),
  FENCE_TOO_SOON("a node that cannot be seen for a moment is taken for dead at once"),
  CLOCK_STOPS_WHILE_FROZEN("the monotonic clock does not count the time of a freeze"),
  NEVER_FENCE("nodes that are gone are not noticed"),
  RELY_ON_HINTS("inputs for the runs of others are found by hints only"),
  READ_A_REPLICA("histories are read from a copy that is a little behind"),
  TRUST_THE_DISK("an event whose checksum does not fit is taken for what was written"),
  IGNORE_TAKEN_IDS("a start of a workflow id that is taken is said to be stored"),
  ANSWER_UNKNOWN_AS_FAILED("a commit whose answer was lost is taken for not done"),
  UNDO_FORWARD("what was done first is undone first"),
  UNDO_AGAIN("what was undone is undone again after a crash"),
  RUN_CODE_WHILE_UNDOING("the code of a run runs again while it is undone"),
  TELL_PARENTS_TOO_SOON("a parent is told of an end of a child that was refused"),
  FORGET_PARENTS("a parent is not told of the end of a child"),
  FORGET_CHILDREN("a child that was not started before a crash is not started after it"),
  LEAVE_CHILDREN_ALONE("children are not told that their parent has closed"),
  CONTINUE_WITHOUT_INPUTS("a run that continues leaves the inputs behind that wait"),
  CONTINUE_WITHOUT_MESSAGE_IDS("a run that continues does not know what was taken in before it"),
  ANSWER_UPDATES_TOO_SOON("an update is answered before that is stored"),
  TERMINATE_BY_CANCELLING("a run that is terminated runs its code"),
  SCHEDULE_WITHOUT_TASK("an activity is asked for and not put on its queue"),
  HAND_OUT_WITHOUT_LOCK("two workers may take the same task at the same time"),
  REPORT_FOR_ANY_ATTEMPT("a report counts although the task was handed out again since"),
  FORGET_LOST_ATTEMPTS("an attempt of which nothing was heard does not count"),
  NEVER_RECLAIM("a task whose worker is gone is not handed out again"),
  RETRY_AT_ONCE("a task is handed out again before its time"),
  TELL_WITHOUT_FINISHING("the end of an activity is told, and its task stays on the queue"),
  FINISH_WITHOUT_TELLING("a task leaves its queue, and its run is not told"),
  LOSE_WHAT_IS_GIVEN_BACK("a task that a closing worker gives back stays with it"),
  HEARTBEAT_IN_VAIN("a heartbeat is answered, and nothing of it is stored"),
  FORGET_DETAILS("details of heartbeats are not kept for the next attempt"),
  KEEP_CANCELS_SECRET("a heartbeat is not told that nobody wants the activity any more"),
  CANCEL_IN_VAIN("that nobody wants an activity any more is not stored"),
  IGNORE_LIMITS("limits of a queue are accepted and not kept"),
  RATE_BY_NODE_CLOCKS("the rate of a queue goes by the clock of the node that takes");

  private final String what;

  Sabotage(String what) {
    this.what = what;
  }

  /** What it does. */
  String what() {
    return what;
  }

  /** As it is called on the command line. */
  String title() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
