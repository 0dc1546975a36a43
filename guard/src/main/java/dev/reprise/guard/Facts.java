package dev.reprise.guard;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the guard knows of one method, whoever calls it.
 *
 * @param troubles what the method itself does that it must not
 * @param changes what it does that it must not if it may only look
 * @param calls methods of the user that it calls, lambdas included, activities not
 * @param created classes of the user that it makes objects of, except for activities
 * @param activityArguments which of its arguments it hands on to be run as activities
 * @param lookingArguments which of its arguments it hands on as code that may only look
 * @param returned what is known of its results
 * @param stored what is known of the values it puts into fields
 * @param direct calls of objects that come from elsewhere, not made as activities
 * @param steps methods that it hands over by reference to be run as activities
 */
record Facts(
    List<Trouble> troubles,
    List<Trouble> changes,
    Set<Call> calls,
    Set<Made> created,
    Set<Integer> activityArguments,
    Set<Integer> lookingArguments,
    Set<Origin> returned,
    Map<Member, Set<Origin>> stored,
    Set<Direct> direct,
    Set<Member> steps) {
  static final Facts NONE =
      new Facts(
          List.of(), List.of(), Set.of(), Set.of(), Set.of(), Set.of(), Set.of(), Map.of(),
          Set.of(), Set.of());

  /** Something that a line must not do. */
  record Trouble(Kind kind, int line, String what, String instead) {}

  /**
   * A call of a method of the user.
   *
   * @param isVirtual whether the class of the object decides which method it is
   * @param onThis whether it is the same object
   * @param looks whether it may only look
   */
  record Call(Member method, boolean isVirtual, boolean onThis, boolean looks) {}

  /**
   * A call of an object that comes from elsewhere.
   *
   * @param field where the object is kept
   */
  record Direct(Member method, Member field, int line) {}

  /**
   * A class of the user that an object is made of.
   *
   * @param looks whether the object is given away as code that may only look
   */
  record Made(String type, boolean looks) {}
}
