package dev.reprise.guard;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What workflow code must not call, type by type. */
final class Catalogue {

  /**
   * Kind, type, methods and, where the kind does not say it well, what to use instead. {@code new}
   * is a constructor, {@code *} everything, {@code name/1} a method with one parameter.
   */
  private static final String TABLE =
      """
      CLOCK | java.lang.System | currentTimeMillis nanoTime
      CLOCK | java.time.Instant | now
      CLOCK | java.time.LocalDate | now
      CLOCK | java.time.LocalTime | now
      CLOCK | java.time.LocalDateTime | now
      CLOCK | java.time.ZonedDateTime | now
      CLOCK | java.time.OffsetDateTime | now
      CLOCK | java.time.OffsetTime | now
      CLOCK | java.time.Year | now
      CLOCK | java.time.YearMonth | now
      CLOCK | java.time.MonthDay | now
      CLOCK | java.time.Clock | system systemUTC systemDefaultZone tick tickMillis tickSeconds tickMinutes instant millis
      CLOCK | java.time.InstantSource | system instant millis
      CLOCK | java.util.Date | new/0
      CLOCK | java.util.Calendar | getInstance
      CLOCK | java.util.GregorianCalendar | new/0 new/1 new/2

      RANDOM | java.lang.Math | random
      RANDOM | java.lang.StrictMath | random
      RANDOM | java.util.Random | new/0
      RANDOM | java.util.SplittableRandom | new/0
      RANDOM | java.util.concurrent.ThreadLocalRandom | *
      RANDOM | java.security.SecureRandom | *
      RANDOM | java.util.random.RandomGenerator | getDefault of
      RANDOM | java.util.random.RandomGeneratorFactory | create/0
      RANDOM | java.util.UUID | randomUUID | ctx.uuid()
      RANDOM | java.util.Collections | shuffle/1 | Collections.shuffle(list, ctx.random())

      THREAD | java.lang.Thread | new start ofVirtual ofPlatform startVirtualThread
      THREAD | java.lang.Thread$Builder | start unstarted factory
      THREAD | java.lang.Thread$Builder$OfVirtual | start unstarted factory
      THREAD | java.lang.Thread$Builder$OfPlatform | start unstarted factory
      THREAD | java.util.concurrent.Executors | *
      THREAD | java.util.concurrent.Executor | *
      THREAD | java.util.concurrent.ExecutorService | *
      THREAD | java.util.concurrent.ScheduledExecutorService | *
      THREAD | java.util.concurrent.ThreadPoolExecutor | *
      THREAD | java.util.concurrent.ScheduledThreadPoolExecutor | *
      THREAD | java.util.concurrent.ForkJoinPool | *
      THREAD | java.util.concurrent.ForkJoinTask | fork invoke invokeAll
      THREAD | java.util.concurrent.RecursiveTask | fork invoke invokeAll
      THREAD | java.util.concurrent.RecursiveAction | fork invoke invokeAll
      THREAD | java.util.concurrent.ExecutorCompletionService | *
      THREAD | java.util.concurrent.StructuredTaskScope | *
      THREAD | java.util.concurrent.CompletableFuture | supplyAsync runAsync thenApplyAsync thenAcceptAsync thenRunAsync thenComposeAsync thenCombineAsync thenAcceptBothAsync runAfterBothAsync applyToEitherAsync acceptEitherAsync runAfterEitherAsync handleAsync whenCompleteAsync exceptionallyAsync exceptionallyComposeAsync completeAsync orTimeout completeOnTimeout delayedExecutor
      THREAD | java.util.concurrent.CompletionStage | thenApplyAsync thenAcceptAsync thenRunAsync thenComposeAsync thenCombineAsync handleAsync whenCompleteAsync
      THREAD | java.util.Timer | *
      THREAD | java.util.Collection | parallelStream
      THREAD | java.util.List | parallelStream
      THREAD | java.util.Set | parallelStream
      THREAD | java.util.ArrayList | parallelStream
      THREAD | java.util.HashSet | parallelStream
      THREAD | java.util.LinkedHashSet | parallelStream
      THREAD | java.util.TreeSet | parallelStream
      THREAD | java.util.stream.BaseStream | parallel
      THREAD | java.util.stream.Stream | parallel
      THREAD | java.util.stream.IntStream | parallel
      THREAD | java.util.stream.LongStream | parallel
      THREAD | java.util.stream.DoubleStream | parallel

      BLOCKING | java.lang.Thread | sleep | ctx.sleep(…)
      BLOCKING | java.lang.Thread | join
      BLOCKING | java.util.concurrent.TimeUnit | sleep timedJoin timedWait | ctx.sleep(…)
      BLOCKING | java.lang.Object | wait notify notifyAll
      BLOCKING | java.util.concurrent.locks.LockSupport | *
      BLOCKING | java.util.concurrent.locks.Lock | lock lockInterruptibly tryLock
      BLOCKING | java.util.concurrent.locks.ReentrantLock | lock lockInterruptibly tryLock
      BLOCKING | java.util.concurrent.locks.ReentrantReadWriteLock$ReadLock | lock lockInterruptibly tryLock
      BLOCKING | java.util.concurrent.locks.ReentrantReadWriteLock$WriteLock | lock lockInterruptibly tryLock
      BLOCKING | java.util.concurrent.locks.StampedLock | readLock writeLock tryReadLock tryWriteLock readLockInterruptibly writeLockInterruptibly
      BLOCKING | java.util.concurrent.locks.Condition | *
      BLOCKING | java.util.concurrent.Semaphore | acquire acquireUninterruptibly tryAcquire
      BLOCKING | java.util.concurrent.CountDownLatch | await
      BLOCKING | java.util.concurrent.CyclicBarrier | await
      BLOCKING | java.util.concurrent.Phaser | arriveAndAwaitAdvance awaitAdvance awaitAdvanceInterruptibly
      BLOCKING | java.util.concurrent.Exchanger | exchange
      BLOCKING | java.util.concurrent.BlockingQueue | put take offer/3 poll/2 | ctx.receive(…)
      BLOCKING | java.util.concurrent.BlockingDeque | put take offer/3 poll/2 putFirst putLast takeFirst takeLast | ctx.receive(…)
      BLOCKING | java.util.concurrent.LinkedBlockingQueue | put take offer/3 poll/2 | ctx.receive(…)
      BLOCKING | java.util.concurrent.LinkedBlockingDeque | put take offer/3 poll/2 putFirst putLast takeFirst takeLast | ctx.receive(…)
      BLOCKING | java.util.concurrent.ArrayBlockingQueue | put take offer/3 poll/2 | ctx.receive(…)
      BLOCKING | java.util.concurrent.PriorityBlockingQueue | take poll/2 | ctx.receive(…)
      BLOCKING | java.util.concurrent.DelayQueue | take poll | ctx.receive(…)
      BLOCKING | java.util.concurrent.SynchronousQueue | * | ctx.receive(…)
      BLOCKING | java.util.concurrent.LinkedTransferQueue | take transfer poll/2 | ctx.receive(…)
      BLOCKING | java.util.concurrent.Future | get | ctx.async(…) and Promise.await()
      BLOCKING | java.util.concurrent.FutureTask | get run | ctx.async(…) and Promise.await()
      BLOCKING | java.util.concurrent.CompletableFuture | get join | ctx.async(…) and Promise.await()
      BLOCKING | java.lang.Process | waitFor | an activity: ctx.run(…)

      IO | java.nio.file.Files | *
      IO | java.nio.file.Path | toRealPath
      IO | java.io.File | exists isFile isDirectory length lastModified list listFiles delete createNewFile createTempFile mkdir mkdirs renameTo canRead canWrite setLastModified getFreeSpace getTotalSpace getUsableSpace
      IO | java.io.FileInputStream | *
      IO | java.io.FileOutputStream | *
      IO | java.io.FileReader | *
      IO | java.io.FileWriter | *
      IO | java.io.RandomAccessFile | *
      IO | java.io.Console | *
      IO | java.nio.channels.FileChannel | *
      IO | java.nio.channels.SocketChannel | *
      IO | java.nio.channels.ServerSocketChannel | *
      IO | java.nio.channels.DatagramChannel | *
      IO | java.nio.channels.AsynchronousFileChannel | *
      IO | java.nio.channels.AsynchronousSocketChannel | *
      IO | java.nio.channels.Selector | *
      IO | java.net.Socket | *
      IO | java.net.ServerSocket | *
      IO | java.net.DatagramSocket | *
      IO | java.net.URL | openStream openConnection getContent
      IO | java.net.URLConnection | *
      IO | java.net.HttpURLConnection | *
      IO | java.net.InetAddress | getByName getAllByName getLocalHost isReachable getHostName getCanonicalHostName
      IO | java.net.http.HttpClient | *
      IO | java.net.http.WebSocket | *
      IO | java.sql.DriverManager | *
      IO | java.sql.Connection | *
      IO | java.sql.Statement | *
      IO | java.sql.PreparedStatement | *
      IO | java.sql.CallableStatement | *
      IO | java.sql.ResultSet | *
      IO | javax.sql.DataSource | *
      IO | javax.net.SocketFactory | createSocket
      IO | java.lang.ProcessBuilder | start
      IO | java.lang.Runtime | exec
      IO | java.lang.System | console

      ENVIRONMENT | java.lang.System | getenv getProperty getProperties setProperty
      ENVIRONMENT | java.lang.Boolean | getBoolean
      ENVIRONMENT | java.lang.Integer | getInteger
      ENVIRONMENT | java.lang.Long | getLong
      ENVIRONMENT | java.lang.Runtime | availableProcessors freeMemory totalMemory maxMemory
      ENVIRONMENT | java.lang.ProcessHandle | current pid allProcesses
      ENVIRONMENT | java.time.ZoneId | systemDefault | a ZoneId by name
      ENVIRONMENT | java.util.TimeZone | getDefault | a TimeZone by name
      ENVIRONMENT | java.util.Locale | getDefault | a Locale by name

      IDENTITY | java.lang.System | identityHashCode

      STATE | java.lang.ThreadLocal | get set remove
      STATE | java.lang.InheritableThreadLocal | get set remove
      """;

  private static final Map<String, List<Rule>> RULES = read();

  private Catalogue() {}

  /** Something that is not allowed. */
  record Rule(Kind kind, String method, int parameters, String instead) {
    private boolean matches(String name, int count) {
      return (method.equals("*") || method.equals(name)) && (parameters < 0 || parameters == count);
    }
  }

  /** The rule against that call, if there is one against it or what it overrides. */
  static @Nullable Rule match(Member call, Types types) {
    var name = call.isConstructor() ? "new" : call.name();
    int count = -1;
    for (var type : types.supertypes(call.owner())) {
      var rules = RULES.get(type);
      if (rules == null || (call.isConstructor() && isElsewhere(type, call))) continue;
      if (count < 0) count = Signature.of(call.type()).parameters().size();
      for (var rule : rules) if (rule.matches(name, count)) return rule;
    }
    return null;
  }

  /** Constructors are not inherited, but that of a subclass of {@code Thread} makes a thread. */
  private static boolean isElsewhere(String type, Member call) {
    return !type.equals(call.owner()) && !type.equals("java/lang/Thread");
  }

  private static Map<String, List<Rule>> read() {
    var rules = new HashMap<String, List<Rule>>();
    TABLE
        .lines()
        .filter(line -> !line.isBlank())
        .forEach(
            line -> {
              var cells = line.split("\\|");
              var kind = Kind.valueOf(cells[0].strip());
              var instead = cells.length > 3 ? cells[3].strip() : kind.instead();
              var of =
                  rules.computeIfAbsent(cells[1].strip().replace('.', '/'), _ -> new ArrayList<>());
              for (var method : cells[2].strip().split(" ")) of.add(rule(kind, method, instead));
            });
    return rules;
  }

  private static Rule rule(Kind kind, String method, String instead) {
    int slash = method.indexOf('/');
    return slash < 0
        ? new Rule(kind, method, -1, instead)
        : new Rule(
            kind,
            method.substring(0, slash),
            Integer.parseInt(method.substring(slash + 1)),
            instead);
  }
}
