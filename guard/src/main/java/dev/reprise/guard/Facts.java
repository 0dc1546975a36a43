package dev.reprise.guard;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the guard knows of one method, whoever calls it.
 *
 * @param troubles what the method itself does that it must not
 * @param calls methods of the user that it calls, lambdas included, activities not
 * @param created classes of the user that it makes objects of, except for activities
 * @param activityArguments which of its arguments it hands on to be run as activities
 * @param returned what is known of its results
 * @param stored what is known of the values it puts into fields
 */
record Facts(
    List<Trouble> troubles,
    Set<Call> calls,
    Set<String> created,
    Set<Integer> activityArguments,
    Set<Origin> returned,
    Map<Member, Set<Origin>> stored) {
  static final Facts NONE = new Facts(List.of(), Set.of(), Set.of(), Set.of(), Set.of(), Map.of());

  /** Something that a line must not do. */
  record Trouble(Kind kind, int line, String what, String instead) {}

  /**
   * A call of a method of the user.
   *
   * @param isVirtual whether the class of the object decides which method it is
   * @param onThis whether it is the same object
   */
  record Call(Member method, boolean isVirtual, boolean onThis) {}
}
