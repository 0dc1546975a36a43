package dev.reprise.verification.histories;

import dev.reprise.Workflow;
import java.util.function.Consumer;

/**
 * A workflow, and what is done to the one run of it.
 *
 * @param name of the workflow, the id of its run, and the name of the file
 * @param code which may never change: its histories are kept
 * @param record what is done until its history is kept
 * @param later what is done to it by the next engine, before its history is kept
 * @param finish what is done to it by a later engine, so that it ends
 */
record Scenario(
    String name,
    Workflow<String, String> code,
    Consumer<Run> record,
    Consumer<Run> later,
    Consumer<Run> finish) {

  private Scenario(
      String name, Workflow<String, String> code, Consumer<Run> record, Consumer<Run> finish) {
    this(name, code, record, _ -> {}, finish);
  }

  /** One that is recorded to its end. */
  static Scenario closed(String name, Workflow<String, String> code) {
    return new Scenario(name, code, Run::awaitEnd, _ -> {});
  }

  /** One that is recorded to its end, after something was done to it. */
  static Scenario closed(String name, Workflow<String, String> code, Consumer<Run> doing) {
    return new Scenario(name, code, doing.andThen(Run::awaitEnd), _ -> {});
  }

  /** One that is recorded while it is open, and that time alone brings to its end. */
  static Scenario open(String name, Workflow<String, String> code, Consumer<Run> record) {
    return new Scenario(name, code, record, _ -> {});
  }

  /** The same, with something to be done in the end. */
  Scenario finishedBy(Consumer<Run> doing) {
    return new Scenario(name, code, record, later, doing);
  }

  /** The same, with something to be done by the next engine, which does not have it in memory. */
  Scenario then(Consumer<Run> doing) {
    return new Scenario(name, code, record, doing, finish);
  }
}
