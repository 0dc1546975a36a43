package dev.reprise.guard;

import java.util.Set;

/**
 * State that outlives a run or is shared by several: static fields, and fields of the workflow,
 * since one object of it serves all runs.
 */
final class SharedState {
  private static final Set<String> CHANGES =
      Set.of(
          ("put putIfAbsent putAll putFirst putLast compute computeIfAbsent computeIfPresent merge"
                  + " replace replaceAll remove removeAll removeIf retainAll removeFirst removeLast"
                  + " add addAll addFirst addLast clear set push pop poll pollFirst pollLast offer"
                  + " offerFirst offerLast increment decrement")
              .split(" "));

  private final Types types;
  private final Troubles troubles;

  SharedState(Types types, Troubles troubles) {
    this.types = types;
    this.troubles = troubles;
  }

  void staticField(Member field) {
    troubles.add(
        Kind.STATE,
        "%s, a static field that is not final,".formatted(field.shown()),
        "a final field, or local variables");
  }

  void unstable(Member field, String what) {
    troubles.add(Kind.STATE, "%s, which was set by %s,".formatted(field.shown(), what));
  }

  void write(Member field) {
    if (!types.isWorkflow(field.owner())) return;
    troubles.add(
        Kind.STATE, "%s, a field of the object that serves all runs,".formatted(field.shown()));
  }

  void storedInArray(Set<Origin> array) {
    for (var origin : array) {
      if (origin instanceof Origin.Field field && isShared(field)) {
        troubles.add(Kind.STATE, field.field().shown() + "[…] = …");
      }
    }
  }

  /** Finds changes of collections and counters in such fields. */
  void invoke(Invocation call) {
    if (!changes(call.method())) return;
    for (var origin : call.object()) {
      if (origin instanceof Origin.Field field && isShared(field)) {
        troubles.add(
            Kind.STATE,
            field.field().shown() + "." + call.method().name() + call.method().shownArguments());
      }
    }
  }

  private boolean isShared(Origin.Field field) {
    return field.isStatic() || types.isWorkflow(field.field().owner());
  }

  private static boolean changes(Member call) {
    var owner = call.owner();
    return owner.startsWith("java/util/concurrent/atomic/")
        || (owner.startsWith("java/util/") && CHANGES.contains(call.name()));
  }
}
