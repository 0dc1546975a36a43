package dev.reprise.guard;

/** What can be wrong with a line of workflow code: why it is, and what to write instead. */
public enum Kind {
  CLOCK("reads a clock, which says something else on replay", "ctx.now()"),
  RANDOM("is another value on replay", "ctx.random()"),
  THREAD("runs code on a thread that the engine does not know", "ctx.async(…)"),
  BLOCKING("waits without the engine, and waits again on replay", "ctx.await(…)"),
  IO("reaches outside of the workflow, and does so again on replay", "an activity: ctx.run(…)"),
  ENVIRONMENT("depends on the machine", "the input of the workflow, or an activity"),
  ORDER("has no order that lasts", "LinkedHashMap, LinkedHashSet or a sorted copy"),
  IDENTITY("is another number in each process", "a value of your own, such as an id"),
  STATE("is state outside of the run, which replay finds changed", "local variables"),
  CHANGE(
      "changes the run or waits, where code may only look: in a query handler or a validator",
      "variables of the workflow, or an update: ctx.onUpdate(…)"),
  ACTIVITY(
      "is called on an object from outside of the workflow, and again on every replay",
      "ctx.run(payments::charge, …)"),
  LAMBDA(
      "has no name that lasts, so it is refused with R109 when it is run",
      "a method reference such as payments::charge, or a label: ctx.run(\"charge\", …)"),
  REASON("gives no reason", "because = \"…\" to say why replay does not notice");

  private final String why;
  private final String instead;

  Kind(String why, String instead) {
    this.why = why;
    this.instead = instead;
  }

  /** Why it is a problem, as the rest of a sentence. */
  public String why() {
    return why;
  }

  /** What to use instead, if nothing more particular fits. */
  public String instead() {
    return instead;
  }
}
