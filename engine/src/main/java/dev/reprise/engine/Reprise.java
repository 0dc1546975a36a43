package dev.reprise.engine;

import dev.reprise.Durations;
import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import dev.reprise.RetryPolicy;
import dev.reprise.SourcePolicy;
import dev.reprise.Steps.Step1;
import dev.reprise.Steps.Step2;
import dev.reprise.Steps.Step3;
import dev.reprise.Texts;
import dev.reprise.TypeRef;
import dev.reprise.WorkerOptions;
import dev.reprise.Workflow;
import dev.reprise.engine.bind.ActivityRegistry;
import dev.reprise.engine.bind.NamedActivity;
import dev.reprise.engine.bind.WorkflowDefinition;
import dev.reprise.engine.codec.Codec;
import dev.reprise.engine.codec.JsonCodec;
import dev.reprise.engine.codec.Values;
import dev.reprise.engine.event.KeptArguments;
import dev.reprise.engine.gate.ReplayGate;
import dev.reprise.engine.machine.Machine;
import dev.reprise.engine.node.Incarnations;
import dev.reprise.engine.node.NodeSettings;
import dev.reprise.engine.node.SystemTime;
import dev.reprise.engine.node.Time;
import dev.reprise.engine.replay.ActivityInterceptor;
import dev.reprise.engine.replay.RunSettings;
import dev.reprise.engine.store.MemoryStore;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.StoreProvider;
import dev.reprise.engine.store.WakeupMode;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Sets up an engine.
 *
 * <pre>{@code
 * try (var engine = Reprise.open("jdbc:sqlite:orders.db")
 *         .workflow(new Checkout(payments, inventory))
 *         .activities(payments, inventory)
 *         .start()) {
 *   …
 * }
 * }</pre>
 */
public final class Reprise {
  private static final Pattern URL_KIND = Pattern.compile("jdbc:[a-z0-9]{1,20}:");
  private static final int ACTIVE_RUNS = 1_000; // more do not raise the throughput
  private static final Duration GRACE = Duration.ofSeconds(10);
  private static final Duration LEASE = Duration.ofSeconds(10);
  private static final Duration SHORTEST_LEASE = Duration.ofSeconds(1); // less is fenced by a pause
  private static final Duration CALL_TIMEOUT = Duration.ofSeconds(30);
  private static final int LOOP_LIMIT = 1_000; // events; replayed in some milliseconds
  private static final int MAX_SCHEMA = 63; // what PostgreSQL keeps of a name
  private static final int MEMORY_SHARE = 2; // parked runs may take that part of the heap

  private final Function<StoreProvider.Options, Store> store;
  private final Map<String, WorkflowDefinition> workflows = new LinkedHashMap<>();
  private final List<Object> activities = new ArrayList<>();
  private final List<NamedActivity> labelled = new ArrayList<>();
  private final Map<String, WorkerOptions> workers = new LinkedHashMap<>();
  private final Map<String, RetryPolicy> retries = new LinkedHashMap<>();
  private Codec codec = new JsonCodec();
  private RetryPolicy retry = RetryPolicy.defaults();
  private int activeRuns = ACTIVE_RUNS;
  private long memoryBudget = Runtime.getRuntime().maxMemory() / MEMORY_SHARE;
  private long callBudget = NodeSettings.CALL_BUDGET;
  private Duration shutdownGrace = GRACE;
  private Duration lease = LEASE;
  private Duration callTimeout = CALL_TIMEOUT;
  private Machine machine = Machine.REAL;
  private @Nullable Time time; // else that of the store
  private WakeupMode wakeups = WakeupMode.AUTO;
  private SourcePolicy sourcePolicy = SourcePolicy.VERIFY;
  private int loopLimit = LOOP_LIMIT;
  private int keptArguments = KeptArguments.LIMIT;
  private boolean migrate = true;
  private @Nullable String schema;
  private @Nullable ActivityInterceptor interceptor;
  private @Nullable Function<String, UUID> runIds;
  private @Nullable Duration retention;
  private @Nullable Duration activityTimeout;

  private Reprise(Function<StoreProvider.Options, Store> store) {
    this.store = store;
  }

  /**
   * An engine on the database of that URL, such as {@code jdbc:sqlite:orders.db} or {@code
   * jdbc:postgresql://localhost/orders}.
   */
  public static Reprise open(String url) {
    return new Reprise(options -> open(url, options));
  }

  /**
   * An engine on a PostgreSQL database by connections of the caller's, of which there must be two
   * at least. They stay the caller's: close a pool after the engine.
   */
  public static Reprise open(DataSource connections) {
    return new Reprise(options -> open(connections, options));
  }

  /** An engine on a store of the caller's. */
  public static Reprise on(Store store) {
    return new Reprise(_ -> store);
  }

  /** An engine that forgets everything when the process ends: for tests and for trying out. */
  public static Reprise inMemory() {
    return on(new MemoryStore());
  }

  /** Opens the store of a URL by the first provider that knows it. */
  public static Store open(String url, StoreProvider.Options options) {
    return first(
        provider -> provider.open(url, options),
        "no store for %s on the class path: use a URL such as jdbc:sqlite:orders.db or"
                .formatted(kindOf(url))
            + " jdbc:postgresql://host/orders, and add the module reprise-jdbc");
  }

  /** What a message may show of a URL: anything else in it may be a password. */
  private static String kindOf(String url) {
    var kind = URL_KIND.matcher(url);
    return kind.lookingAt() ? "'%s…'".formatted(kind.group()) : "this URL";
  }

  /** Opens the store of these connections by the first provider that knows their database. */
  public static Store open(DataSource connections, StoreProvider.Options options) {
    return first(
        provider -> provider.open(connections, options),
        "no store for the database of this DataSource on the class path: it must be PostgreSQL, and"
            + " the module reprise-jdbc must be there; SQLite is opened by its URL");
  }

  private static Store first(Function<StoreProvider, Optional<Store>> open, String otherwise) {
    for (var provider : ServiceLoader.load(StoreProvider.class)) {
      var found = open.apply(provider);
      if (found.isPresent()) return found.get();
    }
    throw new RepriseException(ErrorCode.R115, otherwise);
  }

  /** Registers a workflow under the name of its class. */
  public Reprise workflow(Workflow<?, ?> workflow) {
    return add(WorkflowDefinition.of(workflow));
  }

  /** Registers a workflow, for example a lambda, under a name and with types. */
  public <I, O> Reprise workflow(
      String name, Class<I> input, Class<O> output, Workflow<I, O> workflow) {
    return add(WorkflowDefinition.of(name, input, output, workflow));
  }

  /** Registers a workflow, for example a lambda, under a name and with generic types. */
  public <I extends @Nullable Object, O extends @Nullable Object> Reprise workflow(
      String name, TypeRef<I> input, TypeRef<O> output, Workflow<I, O> workflow) {
    return workflow(name, input.type(), output.type(), workflow);
  }

  /** Registers a workflow whose input is of a generic type. */
  public <I extends @Nullable Object, O> Reprise workflow(
      String name, TypeRef<I> input, Class<O> output, Workflow<I, O> workflow) {
    return workflow(name, input.type(), output, workflow);
  }

  /** Registers a workflow whose output is of a generic type. */
  public <I, O extends @Nullable Object> Reprise workflow(
      String name, Class<I> input, TypeRef<O> output, Workflow<I, O> workflow) {
    return workflow(name, input, output.type(), workflow);
  }

  /** Registers a workflow with types that are known only when the program runs. */
  public Reprise workflow(String name, Type input, Type output, Workflow<?, ?> workflow) {
    return add(WorkflowDefinition.of(name, input, output, workflow));
  }

  private Reprise add(WorkflowDefinition definition) {
    if (workflows.putIfAbsent(definition.name(), definition) != null) {
      throw new RepriseException(
          ErrorCode.R120,
          "two workflows are named '%s': give one another name with @Name"
              .formatted(definition.name()));
    }
    return this;
  }

  /**
   * Registers objects whose interfaces workflows call through {@code ctx.activities(…)}, and whose
   * methods undo what workflows did ({@code ctx.compensate(…)}).
   */
  public Reprise activities(Object... objects) {
    for (var object : objects) activities.add(checkedActivities(object));
    return this;
  }

  /** A list of objects, a class or a text has no activities, and is never meant. */
  private static Object checkedActivities(@Nullable Object object) {
    if (object == null) {
      throw new RepriseException(ErrorCode.R120, "null was given to activities(…)");
    }
    var type = object.getClass();
    if (!type.isArray() && !type.getPackageName().startsWith("java.")) return object;
    throw new RepriseException(
        ErrorCode.R120,
        "activities(…) was given %s, which has no activities: give it the objects themselves, one"
                .formatted(Texts.withArticle(type.getTypeName()))
            + " by one");
  }

  /** Registers a function by its label, to undo what workflows did. */
  public <A> Reprise activity(String label, Class<A> argument, ActivityFunction<A> function) {
    labelled.add(Functions.of(label, argument, function));
    return this;
  }

  /**
   * Registers a function by its label, as an activity for workers: {@code ctx.schedule("label",
   * Result.class, argument)} calls it.
   */
  public <A, R> Reprise activity(
      String label, Class<A> argument, Class<R> result, Step1<A, R> function) {
    return activity(label, TypeRef.of(argument), TypeRef.of(result), function);
  }

  /** Registers a function of two arguments by its label. */
  public <A, B, R> Reprise activity(
      String label, Class<A> first, Class<B> second, Class<R> result, Step2<A, B, R> function) {
    return activity(label, TypeRef.of(first), TypeRef.of(second), TypeRef.of(result), function);
  }

  /** Registers a function of one argument by its label, with generic types. */
  public <A extends @Nullable Object, R extends @Nullable Object> Reprise activity(
      String label, TypeRef<A> argument, TypeRef<R> result, Step1<A, R> function) {
    labelled.add(Functions.of(label, argument, result, function));
    return this;
  }

  /** Registers a function of two arguments by its label, with generic types. */
  public <A extends @Nullable Object, B extends @Nullable Object, R extends @Nullable Object>
      Reprise activity(
          String label,
          TypeRef<A> first,
          TypeRef<B> second,
          TypeRef<R> result,
          Step2<A, B, R> function) {
    labelled.add(Functions.of(label, first, second, result, function));
    return this;
  }

  /** Registers a function of three arguments by its label, with generic types. */
  public <
          A extends @Nullable Object,
          B extends @Nullable Object,
          C extends @Nullable Object,
          R extends @Nullable Object>
      Reprise activity(
          String label,
          TypeRef<A> first,
          TypeRef<B> second,
          TypeRef<C> third,
          TypeRef<R> result,
          Step3<A, B, C, R> function) {
    labelled.add(Functions.of(label, first, second, third, result, function));
    return this;
  }

  /** What an activity with a label does. */
  @FunctionalInterface
  public interface ActivityFunction<A> {
    void call(A argument) throws Exception;
  }

  /**
   * What happens to open runs of workflows whose code has changed, unless {@link
   * dev.reprise.WhenChanged} says something else; they are verified by default.
   */
  public Reprise whenChanged(SourcePolicy policy) {
    this.sourcePolicy = policy;
    return this;
  }

  /**
   * How many events {@code ctx.loop} records before it goes on with a new run; 1,000 by default.
   */
  public Reprise loopLimit(int events) {
    if (events < 1) throw new IllegalArgumentException("a loop must be able to record something");
    this.loopLimit = events;
    return this;
  }

  /**
   * How many bytes of the arguments of each inline activity the history keeps, as the codec wrote
   * them; 1,024 by default, none if 0, 32,768 at most. They are for people: {@code R101} says which
   * argument is another one. Arguments that do not fit are left out, and their size is kept.
   */
  public Reprise keepArguments(int bytes) {
    if (bytes < 0 || bytes > KeptArguments.MAX_LIMIT) {
      throw new IllegalArgumentException(
          "between 0 and %d bytes of arguments can be kept, not %d"
              .formatted(KeptArguments.MAX_LIMIT, bytes));
    }
    this.keptArguments = bytes;
    return this;
  }

  /** Serves a queue as long as the engine runs; see {@link Engine#worker(String, int)}. */
  public Reprise worker(String queue, int concurrency) {
    return worker(queue, WorkerOptions.concurrency(concurrency));
  }

  /** Serves a queue as long as the engine runs, with options. */
  public Reprise worker(String queue, WorkerOptions options) {
    Texts.checked(queue, "queue", Texts.MAX_NAME);
    if (workers.putIfAbsent(queue, options) != null) {
      throw new RepriseException(ErrorCode.R120, "two workers for queue '%s'".formatted(queue));
    }
    return this;
  }

  /** How values become bytes; JSON by default. */
  public Reprise codec(Codec codec) {
    this.codec = codec;
    return this;
  }

  /** For activities whose options say nothing else. */
  public Reprise retry(RetryPolicy policy) {
    this.retry = policy;
    return this;
  }

  /**
   * For one activity, by its name, such as {@code Payments.charge}: what counts for its retries,
   * inline and on queues, unless the call says something else.
   */
  public Reprise retry(String activity, RetryPolicy policy) {
    retries.put(activity, policy);
    return this;
  }

  /**
   * How long an attempt of an activity may take of which neither the call nor its options say
   * anything; without a limit by default, since only you know what your activities do: an attempt
   * that is ended may have had its effect, and is made again. An attempt that runs for a minute
   * without a limit is mentioned in the log. What is on a queue keeps what was said when it was put
   * there.
   */
  public Reprise activityTimeout(Duration timeout) {
    this.activityTimeout = Durations.positive(timeout, "the activity timeout");
    return this;
  }

  /** How many runs are active at once; 1,000 by default. */
  public Reprise activeRuns(int limit) {
    if (limit < 1) throw new IllegalArgumentException("at least one run must be active");
    this.activeRuns = limit;
    return this;
  }

  /** How many bytes runs that wait may take before they leave memory; half of the heap. */
  public Reprise memoryBudget(long bytes) {
    if (bytes < 0) throw new IllegalArgumentException("the memory budget is negative");
    this.memoryBudget = bytes;
    return this;
  }

  /**
   * How many bytes calls may take that the database has not answered; an eighth of the heap. While
   * the database is away, calls beyond that are refused with {@code R142}.
   */
  public Reprise callBudget(long bytes) {
    if (bytes < 0) throw new IllegalArgumentException("the budget of calls is negative");
    this.callBudget = bytes;
    return this;
  }

  /** How long closing waits for activities that run; 10 s by default. */
  public Reprise shutdownGrace(Duration grace) {
    this.shutdownGrace = Durations.notNegative(grace, "the shutdown grace");
    return this;
  }

  /**
   * How long runs are kept after they have closed; for ever by default. Then they are deleted with
   * their histories, a few at a time, and their workflow ids may be used again.
   */
  public Reprise retention(Duration period) {
    this.retention = Durations.positive(period, "the retention");
    return this;
  }

  /** Whether to bring the schema up to date when the engine starts; true by default. */
  public Reprise migrate(boolean migrate) {
    this.migrate = migrate;
    return this;
  }

  /**
   * In which schema of a PostgreSQL database the tables are, and are created when the engine
   * starts; {@code reprise} by default. What is said here counts more than {@code currentSchema} in
   * the URL.
   *
   * @throws RepriseException {@code R112} if PostgreSQL cannot have a schema of that name
   */
  public Reprise schema(String name) {
    var checked = Texts.checked(name, "name of the schema", MAX_SCHEMA);
    if (checked.getBytes(StandardCharsets.UTF_8).length > MAX_SCHEMA) {
      throw new RepriseException(
          ErrorCode.R112,
          "the name of the schema has more than %d bytes: '%s'".formatted(MAX_SCHEMA, checked));
    }
    this.schema = checked;
    return this;
  }

  /** What stands around the calls of activities; nothing by default. */
  public Reprise interceptor(ActivityInterceptor interceptor) {
    this.interceptor = interceptor;
    return this;
  }

  /**
   * Gives new runs their ids, by workflow id; new ones by default. What a run draws from {@code
   * ctx.random()} and {@code ctx.uuid()} follows from its id: for tests that want to see the same
   * each time.
   */
  public Reprise runIds(Function<String, UUID> ids) {
    this.runIds = ids;
    return this;
  }

  /** Where the engine takes the time from; for tests. */
  public Reprise time(Time time) {
    this.time = time;
    return this;
  }

  /** Gives the engine its threads, timers and random numbers; for tests. */
  public Reprise machine(Machine machine) {
    this.machine = machine;
    return this;
  }

  /**
   * How long this engine may be silent, on a database that it shares with others, before they take
   * over its runs; 10 s by default. A process that dies is noticed sooner.
   */
  public Reprise lease(Duration lease) {
    if (lease.compareTo(SHORTEST_LEASE) < 0) {
      throw new IllegalArgumentException("a lease of less than " + SHORTEST_LEASE + ": " + lease);
    }
    this.lease = Durations.bounded(lease);
    return this;
  }

  /**
   * How engines tell each other that something is ready, on a database that they share; in the best
   * way that it has by default. Elsewhere there is nobody to tell, and this changes nothing.
   */
  public Reprise wakeups(WakeupMode mode) {
    this.wakeups = mode;
    return this;
  }

  /** How long a call waits for a database that does not answer; 30 s by default. */
  public Reprise callTimeout(Duration timeout) {
    this.callTimeout = Durations.positive(timeout, "the call timeout");
    return this;
  }

  /**
   * A client without an engine of its own, on a database that engines share: it starts, signals and
   * cancels workflows, and the engines run them.
   *
   * @throws RepriseException {@code R120} if workflows or activities were registered: they would
   *     not run here
   */
  public Engine client() {
    checkRunsNothing();
    return open(Reprise::checkShared);
  }

  /**
   * A client for a short visit, such as that of a command. On a database that engines share it is
   * one like all others. On a database for one engine process at a time it comes in while no engine
   * is there, and keeps engines out until it is closed; what it sends is taken in by the next one.
   *
   * @throws RepriseException {@code R117} if an engine has such a database, {@code R120} if
   *     workflows or activities were registered
   */
  public Engine visit() {
    checkRunsNothing();
    return open(_ -> {});
  }

  private void checkRunsNothing() {
    if (workflows.isEmpty() && activities.isEmpty()) return;
    throw new RepriseException(
        ErrorCode.R120,
        "a client runs nothing: leave out the workflows and activities, or call start()");
  }

  /**
   * Starts the engine: open runs of these workflows go on, new ones can be started. With activities
   * alone it is a client whose workers serve queues, see {@link Engine#worker}.
   */
  public Engine start() {
    if (workflows.isEmpty() && activities.isEmpty() && labelled.isEmpty()) {
      throw new RepriseException(
          ErrorCode.R120,
          "no workflow is registered: add them with workflow(…), or activities for workers of"
              + " queues with activities(…), or call client() for a client that runs nothing"
              + " itself");
    }
    return open(_ -> {});
  }

  /** A check of recorded runs against these workflows. It starts nothing and calls nothing. */
  public ReplayGate gate() {
    return new ReplayGate(workflows.values(), values());
  }

  private Values values() {
    return new Values(codec, keptArguments);
  }

  /** What would not come back as it was is refused before there is a run that holds it. */
  private Values checkedValues() {
    var values = values();
    for (var workflow : workflows.values()) {
      values.check(workflow.input(), "the input of workflow '%s'".formatted(workflow.name()));
      values.check(workflow.output(), "the result of workflow '%s'".formatted(workflow.name()));
    }
    return values;
  }

  private Engine open(Consumer<Store> check) {
    var runs =
        new RunSettings(
            checkedValues(),
            new ActivityRegistry(activities, labelled, retries),
            retry,
            machine,
            interceptor,
            loopLimit,
            activityTimeout);
    var settings =
        new NodeSettings(runs, activeRuns, memoryBudget, shutdownGrace, lease, callTimeout);
    settings = settings.withSourcePolicy(sourcePolicy).withCallBudget(callBudget);
    if (runIds != null) settings = settings.withRunIds(runIds);
    if (retention != null) settings = settings.withRetention(retention);
    var opened = store.apply(new StoreProvider.Options(migrate, false, wakeups, schema));
    try {
      check.accept(opened);
      var nodes = new Incarnations(opened, () -> timeOf(opened), workflows, settings);
      var engine = new Engine(nodes);
      workers.forEach(engine::worker);
      nodes.announce(workers.keySet());
      return engine;
    } catch (RuntimeException e) {
      opened.close();
      throw e;
    }
  }

  private Time timeOf(Store opened) {
    return time == null ? SystemTime.of(machine, opened.clock()) : time;
  }

  private static void checkShared(Store opened) {
    if (opened.isShared()) return;
    throw new RepriseException(
        ErrorCode.R120,
        "this database is for one engine process at a time, a client beside it needs PostgreSQL:"
            + " use the engine itself as the client");
  }
}
