package dev.reprise.guard;

import java.lang.classfile.ClassFile;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.LineNumber;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Everything of the user's code that a workflow can come to, but not what runs as an activity.
 *
 * <p>Which method a call of an interface runs is known if the workflow's own code makes the object;
 * then all classes that it makes objects of and that fit are looked at. Objects that are given to
 * the JDK or to the engine may be called back through any interface of theirs.
 */
final class Reach {
  private final Code code;
  private final Types types;
  private final Deque<Place> open = new ArrayDeque<>();
  private final Set<Visit> visited = new HashSet<>();
  private final Set<Facts.Made> created = new LinkedHashSet<>();
  private final Set<OpenCall> openCalls = new LinkedHashSet<>();
  private final Set<Member> steps = new HashSet<>();
  private final List<Candidate> candidates = new ArrayList<>();
  private final List<Finding> findings = new ArrayList<>();

  /**
   * A method with the class of the object that it is called on.
   *
   * @param looks whether it is called by code that may only look
   */
  private record Visit(Member method, String self, boolean looks) {}

  private record Place(Visit visit, List<String> path) {}

  /** A call of which the object decides which method it is. */
  private record OpenCall(Member method, boolean looks) {}

  /** A call of an object from elsewhere, which may be an activity. */
  private record Candidate(ClassInfo type, Member method, Facts.Direct call, List<String> path) {}

  private Reach(Code code) {
    this.code = code;
    this.types = code.types();
  }

  static List<Finding> from(Code code, Root root) {
    var reach = new Reach(code);
    reach.go(new Visit(root.method(), root.workflow(), false), List.of());
    while (!reach.open.isEmpty()) reach.look(reach.open.removeFirst());
    reach.judge();
    return reach.findings;
  }

  /** What the workflow makes and runs as activities is known only at the end. */
  private void judge() {
    var injection = new Injection(code);
    var made = created.stream().map(Facts.Made::type).collect(Collectors.toSet());
    for (var each : candidates) {
      if (!injection.isActivity(each.call(), made, steps)) continue;
      findings.add(
          finding(each.type(), each.method(), Injection.trouble(each.call()), each.path()));
    }
  }

  private void go(Visit visit, List<String> path) {
    if (visited.add(visit)) open.add(new Place(visit, path));
  }

  private void look(Place place) {
    var method = place.visit().method();
    var type = types.find(method.owner());
    var model = type == null ? null : type.method(method.name(), method.type());
    if (type == null || model == null) return;
    var here = isBridge(model) ? place.path() : extended(place.path(), name(method));
    var reason = Suppression.reason(type, model);
    if (reason.isPresent() && !reason.get().isBlank()) return;
    if (reason.isPresent() && !isBridge(model)) {
      findings.add(finding(type, method, blank(model), here));
    }
    var facts = code.facts(method);
    boolean looks = place.visit().looks();
    facts.troubles().forEach(each -> findings.add(finding(type, method, each, here)));
    if (looks) facts.changes().forEach(each -> findings.add(finding(type, method, each, here)));
    steps.addAll(facts.steps());
    facts.direct().forEach(call -> candidates.add(new Candidate(type, method, call, here)));
    facts.calls().forEach(call -> follow(call, place.visit(), here));
    facts.created().forEach(each -> create(each.type(), looks || each.looks(), here));
  }

  private void follow(Facts.Call call, Visit from, List<String> path) {
    var start = call.onThis() && call.isVirtual() ? call.method().in(from.self()) : call.method();
    var target = types.resolve(start);
    boolean looks = from.looks() || call.looks();
    if (target != null) {
      go(new Visit(target, call.onThis() ? from.self() : target.owner(), looks), path);
    }
    var called = new OpenCall(call.method(), looks);
    if (call.isVirtual() && !call.onThis() && openCalls.add(called)) {
      created.forEach(each -> dispatch(called, each.type(), path));
    }
  }

  private void create(String type, boolean looks, List<String> path) {
    if (types.isWorkflow(type) || !created.add(new Facts.Made(type, looks))) return;
    List.copyOf(openCalls).forEach(call -> dispatch(call, type, path));
    types.supertypes(type).stream()
        .filter(each -> !types.isOwn(each) && !Types.isActivity(each))
        .map(types::find)
        .forEach(each -> callBack(each, type, looks, path));
  }

  private void dispatch(OpenCall call, String type, List<String> path) {
    if (!types.supertypes(type).contains(call.method().owner())) return;
    var target = types.resolve(call.method().in(type));
    if (target != null) go(new Visit(target, type, call.looks()), path);
  }

  /** What others may call through an interface. Generic types are erased, so names must do. */
  private void callBack(
      @Nullable ClassInfo through, String type, boolean looks, List<String> path) {
    var info = types.find(type);
    if (through == null || !through.isInterface() || info == null) return;
    for (var method : through.model().methods()) {
      var name = method.methodName().stringValue();
      int count = Signature.of(method.methodType().stringValue()).parameters().size();
      for (var own : info.model().methods()) {
        var signature = own.methodType().stringValue();
        if (own.methodName().equalsString(name)
            && Signature.of(signature).parameters().size() == count) {
          go(new Visit(new Member(type, name, signature), type, looks), path);
        }
      }
    }
  }

  private static Finding finding(
      ClassInfo type, Member method, Facts.Trouble trouble, List<String> path) {
    return new Finding(
        trouble.kind(),
        type.name().replace('/', '.'),
        Member.written(method.name()),
        type.file(),
        trouble.line(),
        trouble.what(),
        trouble.instead(),
        path);
  }

  private static Facts.Trouble blank(MethodModel method) {
    return new Facts.Trouble(
        Kind.REASON, firstLine(method), "@Deterministic", Kind.REASON.instead());
  }

  /** Made by the compiler to call the method that was written; it has the same annotations. */
  private static boolean isBridge(MethodModel method) {
    return (method.flags().flagsMask() & ClassFile.ACC_BRIDGE) != 0;
  }

  private static int firstLine(MethodModel method) {
    return method.code().stream()
        .flatMap(code -> code.elementStream())
        .mapToInt(element -> element instanceof LineNumber number ? number.line() : 0)
        .filter(line -> line > 0)
        .findFirst()
        .orElse(0);
  }

  private static String name(Member method) {
    return Member.shown(method.owner()) + "." + Member.written(method.name());
  }

  private static List<String> extended(List<String> path, String name) {
    if (!path.isEmpty() && path.getLast().equals(name)) return path;
    var longer = new ArrayList<>(path);
    longer.add(name);
    return longer;
  }
}
