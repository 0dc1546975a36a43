package dev.reprise.guard;

import java.lang.classfile.ClassFile;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** What a method does with values: gathers its facts while it is walked through. */
final class Uses {
  /** Results of such calls are other ones in each process. */
  private static final Set<Kind> UNSTABLE =
      EnumSet.of(Kind.CLOCK, Kind.RANDOM, Kind.IO, Kind.ENVIRONMENT);

  private static final String ENUM = "java/lang/Enum";
  private static final Set<String> GENERATORS =
      Set.of("java/util/Random", "java/util/SplittableRandom", "java/util/random/RandomGenerator");

  private static final String HANDLER = "L" + Types.CONTEXT + "$Handler;";
  private static final String VALIDATOR = "L" + Types.CONTEXT + "$Validator;";

  private final Code code;
  private final Types types;
  private final Member method;
  private final Troubles troubles = new Troubles();
  private final Order order = new Order(troubles);
  private final SharedState state;
  private final Set<Facts.Call> calls = new LinkedHashSet<>();
  private final Map<Integer, LambdaSite> lambdas = new LinkedHashMap<>();
  private final Map<Integer, Integer> lines = new HashMap<>();
  private final Map<Origin.Body, Integer> bodies = new LinkedHashMap<>();
  private final Map<Integer, String> made = new LinkedHashMap<>();
  private final Map<Integer, String> unstableSites = new HashMap<>();
  private final Handed activities = new Handed();
  private final Handed lookers = new Handed();
  private final Troubles changes = new Troubles();
  private final Map<Member, Set<Origin>> stored = new HashMap<>();
  private final Injection injection;
  private final Set<Facts.Direct> direct = new LinkedHashSet<>();
  private final Set<Member> steps = new HashSet<>();
  private Set<Origin> returned = Frame.UNKNOWN;

  Uses(Code code, Member method) {
    this.code = code;
    this.types = code.types();
    this.method = method;
    this.state = new SharedState(types, troubles);
    this.injection = new Injection(code);
  }

  void at(int line) {
    troubles.at(line);
    changes.at(line);
  }

  // ---- calls

  Set<Origin> invoke(Invocation call) {
    var owner = call.method().owner();
    if (owner.startsWith("[")) return Frame.UNKNOWN;
    if (Changes.isOne(call.method(), types)) changes.add(Kind.CHANGE, call.method().shown());
    if (types.isContext(owner)) return invokeContext(call);
    if (call.method().isConstructor()) made(call);
    if (types.isOwn(owner)) {
      if (call.object().contains(new Origin.Activities())) {
        changes.add(Kind.CHANGE, call.method().shown());
        return call.byType();
      }
      if (call.isVirtual()) direct(call.method(), call.object(), troubles.line());
      calls.add(new Facts.Call(call.method(), call.isVirtual(), call.onThis(), false));
      var target = types.resolve(call.method());
      if (target != null) {
        var facts = code.facts(target);
        facts.activityArguments().forEach(i -> activities.add(call.arguments().get(i)));
        facts.lookingArguments().forEach(i -> lookers.add(call.arguments().get(i)));
        return Origin.join(facts.returned(), call.byType());
      }
    }
    return invokeOthers(call);
  }

  private void direct(Member called, Set<Origin> object, int line) {
    for (var origin : object) {
      if (origin instanceof Origin.Injected(var field) && !Injection.isOfObject(called)) {
        direct.add(new Facts.Direct(called, field, line));
      }
    }
  }

  private Set<Origin> invokeContext(Invocation call) {
    switch (call.method().name()) {
      case "run", "schedule", "compensate" -> handOver(call, Uses::isStep, activities);
      case "onQuery" -> handOver(call, HANDLER::equals, lookers);
      case "onUpdate" -> handOver(call, VALIDATOR::equals, lookers);
      case "activities" -> {
        return Set.of(new Origin.Activities());
      }
      default -> {}
    }
    return call.byType();
  }

  private static void handOver(Invocation call, Predicate<String> isFunction, Handed to) {
    var parameters = Signature.of(call.method().type()).parameters();
    for (int i = 0; i < parameters.size(); i++) {
      if (isFunction.test(parameters.get(i))) to.add(call.arguments().get(i));
    }
  }

  /** The parameters of {@code ctx.run(…)} that are run; the others are values. */
  private static boolean isStep(String parameter) {
    return parameter.equals("Ljava/util/concurrent/Callable;")
        || parameter.startsWith("L" + Types.STEPS + "$");
  }

  private void made(Invocation call) {
    for (var origin : call.object()) {
      if (origin instanceof Origin.New(var site, var type) && types.isOwn(type)) {
        made.put(site, type);
      }
    }
  }

  private Set<Origin> invokeOthers(Invocation call) {
    var rule = Catalogue.match(call.method(), types);
    if (rule != null) return forbidden(call, rule);
    if (isIdentityHash(call.method())) troubles.add(Kind.IDENTITY, call.method().shown());
    if (GENERATORS.contains(call.method().owner()) && isField(call.object())) {
      troubles.add(Kind.RANDOM, call.method().shown());
    }
    state.invoke(call);
    var known = order.invoke(call);
    return known.isEmpty() ? call.byType() : known;
  }

  private Set<Origin> forbidden(Invocation call, Catalogue.Rule rule) {
    troubles.add(rule.kind(), call.method().shown(), rule.instead());
    if (!UNSTABLE.contains(rule.kind())) return call.byType();
    if (!call.method().isConstructor()) {
      return Set.of(new Origin.Unstable(call.method().shown()));
    }
    for (var origin : call.object()) {
      if (origin instanceof Origin.New(var site, _)) {
        unstableSites.put(site, call.method().shown());
      }
    }
    return Frame.UNKNOWN;
  }

  /** Enums and classes that do not say otherwise have the hash code of their place in memory. */
  private boolean isIdentityHash(Member call) {
    if (!call.name().equals("hashCode") || !call.type().equals("()I")) return false;
    if (call.owner().equals(Types.OBJECT)) return true;
    var info = types.find(call.owner());
    if (info == null || info.isInterface()) return false;
    if (ENUM.equals(info.parent())) return true;
    return types.isOwn(call.owner()) && parents(info).allMatch(types::isOwn);
  }

  /** The class and those above it, without {@code Object}. */
  private Stream<String> parents(ClassInfo info) {
    var parent = info.parent() == null ? null : types.find(info.parent());
    return parent == null || parent.name().equals(Types.OBJECT)
        ? Stream.of(info.name())
        : Stream.concat(Stream.of(info.name()), parents(parent));
  }

  private static boolean isField(Set<Origin> value) {
    return value.stream().anyMatch(Origin.Field.class::isInstance);
  }

  // ---- lambdas

  Set<Origin> lambda(int site, LambdaSite lambda) {
    if (lambda.isActivity()) {
      step(lambda);
    } else if (!types.isWorkflow(lambda.type())) {
      lambdas.put(site, lambda);
      lines.put(site, troubles.line());
      if (types.isOwn(lambda.type())) made.put(site, lambda.type());
    }
    var body = types.isOwn(lambda.body().owner()) ? types.resolve(lambda.body()) : null;
    if (body != null && !lambda.isActivity()) {
      var facts = code.facts(body);
      handOn(lambda, facts.activityArguments(), activities);
      handOn(lambda, facts.lookingArguments(), lookers);
    }
    return Set.of(new Origin.Lambda(site));
  }

  /** By the name of its method the engine knows it again, and a lambda has none. */
  private void step(LambdaSite lambda) {
    if (lambda.isLambda()) troubles.add(Kind.LAMBDA, "a lambda as an activity without a label");
    else steps.add(lambda.body());
  }

  /** What the body runs as an activity is an activity here. */
  private static void handOn(LambdaSite lambda, Set<Integer> arguments, Handed to) {
    int first = lambda.isStatic() ? 0 : 1;
    for (int argument : arguments) {
      int captured = argument + first;
      if (captured < lambda.captured().size()) to.add(lambda.captured().get(captured));
    }
  }

  // ---- fields

  Set<Origin> readStatic(Member name) {
    if (name.owner().equals("java/lang/System") && name.name().equals("in")) {
      troubles.add(Kind.IO, "System.in");
    }
    var field = types.resolveField(name);
    if (field == null) return Order.byType(name.type());
    if (!isFinal(field)) {
      state.staticField(field);
      return Frame.UNKNOWN;
    }
    var value = known(field, true);
    for (var origin : value) {
      if (origin instanceof Origin.Unstable(var what)) state.unstable(field, what);
    }
    return value;
  }

  Set<Origin> read(Member name) {
    var field = types.resolveField(name);
    if (field == null) return Order.byType(name.type());
    var value = known(field, false);
    return injection.isInto(field) ? Origin.join(value, Set.of(new Origin.Injected(field))) : value;
  }

  private Set<Origin> known(Member field, boolean isStatic) {
    var origin = Set.<Origin>of(new Origin.Field(field, isStatic));
    var known = Origin.join(origin, Order.byType(field.type()));
    if (!isFollowed(field.type())) return known;
    var stored = code.stored(field, isStatic);
    for (var each : stored) {
      if (each instanceof Origin.Body body) bodies.putIfAbsent(body, troubles.line());
    }
    return Origin.join(known, stored);
  }

  /** Fields of types of the user's own are not: too much could be behind them. */
  private static boolean isFollowed(String descriptor) {
    return !descriptor.startsWith("L")
        || descriptor.startsWith("Ljava/")
        || descriptor.startsWith("L" + Types.CONTEXT + "$")
        || descriptor.startsWith("L" + Types.STEPS + "$");
  }

  private boolean isFinal(Member field) {
    var info = types.find(field.owner());
    var model = info == null ? null : info.fields().get(field.name());
    return model == null || (model.flags().flagsMask() & ClassFile.ACC_FINAL) != 0;
  }

  void writeStatic(Member name, Set<Origin> value) {
    var field = types.resolveField(name);
    if (field == null) return;
    if (method.name().equals(Member.STATIC_INITIALIZER)) store(field, value);
    else state.staticField(field);
  }

  void write(Member name, Set<Origin> value) {
    var field = types.resolveField(name);
    if (field == null) return;
    if (method.isConstructor()) store(field, value);
    else state.write(field);
  }

  void storedInArray(Set<Origin> array) {
    state.storedInArray(array);
  }

  private void store(Member field, Set<Origin> value) {
    stored.merge(field, outside(value), Origin::join);
    if (Injection.isMadeHere(value)) {
      stored.merge(field, Set.of(new Origin.Here()), Origin::join);
    }
  }

  void returned(Set<Origin> value) {
    returned = Origin.join(returned, outside(value));
  }

  /** What somebody outside of the method can know of a value. */
  private Set<Origin> outside(Set<Origin> value) {
    var known = new HashSet<Origin>();
    for (var origin : value) {
      switch (origin) {
        case Origin.Unordered _, Origin.Unstable _, Origin.Activities _, Origin.Injected _ ->
            known.add(origin);
        case Origin.Lambda(var site) when lambdas.containsKey(site) ->
            known.add(lambdas.get(site).asBody());
        case Origin.New(var site, _) when unstableSites.containsKey(site) ->
            known.add(new Origin.Unstable(unstableSites.get(site)));
        case Origin.New made -> known.addAll(Order.byType("L" + made.type() + ";"));
        default -> {}
      }
    }
    return known;
  }

  // ---- all of it

  Facts facts() {
    lambdas.forEach(
        (site, lambda) -> {
          if (!activities.has(site)) run(site, lambda);
        });
    bodies.forEach(
        (body, line) -> {
          if (!activities.has(body)) run(body, false, lookers.has(body), line);
        });
    order.finish();
    made.keySet().removeIf(activities::has);
    var created = new LinkedHashSet<Facts.Made>();
    made.forEach((site, type) -> created.add(new Facts.Made(type, lookers.has(site))));
    return new Facts(
        troubles.all(),
        changes.all(),
        calls,
        created,
        activities.arguments(),
        lookers.arguments(),
        returned,
        stored,
        direct,
        steps);
  }

  private void run(int site, LambdaSite lambda) {
    run(lambda.asBody(), lambda.onThis(), lookers.has(site), lines.getOrDefault(site, 0));
    var body = lambda.body();
    if (lambda.isVirtual() && !lambda.captured().isEmpty()) {
      direct(body, lambda.captured().getFirst(), lines.getOrDefault(site, 0));
    }
    if (body.isConstructor() && types.isOwn(body.owner())) made.put(site, body.owner());
  }

  private void run(Origin.Body body, boolean onThis, boolean looks, int line) {
    var method = body.method();
    if (types.isOwn(method.owner())) {
      calls.add(new Facts.Call(method, body.isVirtual(), onThis, looks));
      if (types.resolve(method) != null) return;
    }
    if (Changes.isOne(method, types)) {
      var trouble = new Facts.Trouble(Kind.CHANGE, line, method.shown(), Kind.CHANGE.instead());
      (looks ? troubles : changes).add(trouble);
    }
    var rule = Catalogue.match(method, types);
    if (rule == null) return;
    troubles.add(new Facts.Trouble(rule.kind(), line, method.shown(), rule.instead()));
  }
}
