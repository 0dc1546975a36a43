package dev.reprise.guard;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The methods of the user, each looked at once. Not for several threads. */
final class Code {
  private final Types types;
  private final Map<Member, Facts> known = new HashMap<>();

  Code(Types types) {
    this.types = types;
  }

  Types types() {
    return types;
  }

  /**
   * What is known of a method. Nothing if it has no code, or calls itself and is being looked at.
   */
  Facts facts(Member method) {
    var facts = known.get(method);
    if (facts != null) return facts;
    known.put(method, Facts.NONE);
    facts = walk(method);
    known.put(method, facts);
    return facts;
  }

  private Facts walk(Member method) {
    var info = types.find(method.owner());
    var model = info == null ? null : info.method(method.name(), method.type());
    if (model == null) return Facts.NONE;
    var code = model.code();
    return code.isEmpty() ? Facts.NONE : new MethodWalk(this, method, model, code.get()).facts();
  }

  /** What is known of the values that a field gets when its class or object is made. */
  Set<Origin> stored(Member field, boolean isStatic) {
    var info = types.find(field.owner());
    if (info == null) return Frame.UNKNOWN;
    var initializer = isStatic ? Member.STATIC_INITIALIZER : Member.CONSTRUCTOR;
    var all = Frame.UNKNOWN;
    for (var method : info.model().methods()) {
      if (!method.methodName().equalsString(initializer)) continue;
      var facts = facts(new Member(info.name(), initializer, method.methodType().stringValue()));
      all = Origin.join(all, facts.stored().getOrDefault(field, Frame.UNKNOWN));
    }
    return all;
  }
}
