package dev.reprise.verification.property;

import dev.reprise.JoinPolicy;
import dev.reprise.ParentClose;
import java.util.List;

/**
 * A piece of a random workflow. Times are in microseconds, so that two are hardly ever the same.
 */
sealed interface Op {
  /** An activity whose first attempts fail; given up after some. */
  record Step(String path, int failures, int attempts) implements Op {}

  record Sleep(int micros) implements Op {}

  /** A signal of that name, or of any if it is empty; without limit if it is 0. */
  record Receive(String name, int limit) implements Op {}

  /** Waits until so many pieces are done, at most so long. */
  record Await(int done, int limit) implements Op {}

  record Join(Kind kind, List<List<Op>> branches) implements Op {}

  record Limit(int micros, List<Op> body) implements Op {}

  record Patch(String change) implements Op {}

  /** Asks for the time, a random number and a UUID. */
  record Values() implements Op {}

  /** Remembers an activity that undoes something; its first attempts fail. */
  record Remember(String path, int failures, int attempts) implements Op {}

  record Shield(List<Op> body) implements Op {}

  /** Branches that end together; cancelled when the first has ended, if that is wanted. */
  record Scoped(JoinPolicy policy, boolean cancels, List<List<Op>> branches) implements Op {}

  /** Goes on whatever becomes of the body. */
  record Try(List<Op> body) implements Op {}

  record Throw(String path) implements Op {}

  /** A child with this program; no limit if it is 0. */
  record Kin(String path, Care care, ParentClose close, int limit, List<Op> body) implements Op {}

  /** So many turns of a loop without end. */
  record Turns(int count, List<Op> body) implements Op {}

  record Publish(String path) implements Op {}

  /** Sets or removes an attribute. */
  record Attribute(String name, boolean set) implements Op {}

  /** Answers updates and queries from here on. */
  record Answers(String path) implements Op {}

  /** Continues as a new run, so often; the last piece of a program. */
  record Again(int times) implements Op {}

  enum Kind {
    ALL,
    ANY,
    RACE
  }

  /** What a parent does with a child. */
  enum Care {
    CALL,
    SIGNAL,
    CANCEL,
    LEAVE
  }
}
