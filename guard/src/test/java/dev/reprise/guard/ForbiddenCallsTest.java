package dev.reprise.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

class ForbiddenCallsTest {

  /** Not a call alone: fields, collections and annotations have tests of their own. */
  private static final Set<Kind> ELSEWHERE = EnumSet.of(Kind.ORDER, Kind.ACTIVITY, Kind.REASON);

  /** The code, the kind, what is reported, and what to use instead unless the kind says it. */
  private static final String TABLE =
      """
      System.currentTimeMillis(); | CLOCK | System.currentTimeMillis()
      System.nanoTime(); | CLOCK | System.nanoTime()
      Instant.now(); | CLOCK | Instant.now()
      Instant.now(Clock.fixed(ctx.now(), ZoneOffset.UTC)); | CLOCK | Instant.now(…)
      LocalDate.now(); | CLOCK | LocalDate.now()
      LocalDateTime.now(ZoneOffset.UTC); | CLOCK | LocalDateTime.now(…)
      ZonedDateTime.now(); | CLOCK | ZonedDateTime.now()
      Year.now(); | CLOCK | Year.now()
      Clock.systemUTC(); | CLOCK | Clock.systemUTC()
      new Date(); | CLOCK | new Date()
      Calendar.getInstance(); | CLOCK | Calendar.getInstance()
      Supplier<Instant> s = Instant::now; | CLOCK | Instant.now()
      Optional.of(1).map(x -> Instant.now()); | CLOCK | Instant.now()

      Math.random(); | RANDOM | Math.random()
      new Random(); | RANDOM | new Random()
      new SplittableRandom(); | RANDOM | new SplittableRandom()
      ThreadLocalRandom.current(); | RANDOM | ThreadLocalRandom.current()
      new SecureRandom(); | RANDOM | new SecureRandom()
      RandomGenerator.getDefault(); | RANDOM | RandomGenerator.getDefault()
      UUID.randomUUID(); | RANDOM | UUID.randomUUID() | ctx.uuid()
      Stream.generate(UUID::randomUUID); | RANDOM | UUID.randomUUID() | ctx.uuid()
      Collections.shuffle(new ArrayList<>(List.of(1, 2))); | RANDOM | Collections.shuffle(…) | Collections.shuffle(list, ctx.random())

      new Thread(() -> {}); | THREAD | new Thread(…)
      Thread.ofVirtual(); | THREAD | Thread.ofVirtual()
      Thread.startVirtualThread(() -> {}); | THREAD | Thread.startVirtualThread(…)
      Executors.newCachedThreadPool(); | THREAD | Executors.newCachedThreadPool()
      ((ExecutorService) null).submit(() -> {}); | THREAD | ExecutorService.submit(…)
      CompletableFuture.supplyAsync(() -> 1); | THREAD | CompletableFuture.supplyAsync(…)
      CompletableFuture.completedFuture(1).thenApplyAsync(x -> x); | THREAD | CompletableFuture.thenApplyAsync(…)
      List.of(1).parallelStream(); | THREAD | List.parallelStream()
      IntStream.range(0, 3).parallel(); | THREAD | IntStream.parallel()
      ForkJoinPool.commonPool(); | THREAD | ForkJoinPool.commonPool()
      new java.util.Timer(); | THREAD | new Timer()

      Thread.sleep(1); | BLOCKING | Thread.sleep(…) | ctx.sleep(…)
      TimeUnit.SECONDS.sleep(1); | BLOCKING | TimeUnit.sleep(…) | ctx.sleep(…)
      synchronized (input) { input.wait(); } | BLOCKING | Object.wait()
      LockSupport.parkNanos(1); | BLOCKING | LockSupport.parkNanos(…)
      new ReentrantLock().lock(); | BLOCKING | ReentrantLock.lock()
      new Semaphore(1).acquire(); | BLOCKING | Semaphore.acquire()
      new CountDownLatch(1).await(); | BLOCKING | CountDownLatch.await()
      new LinkedBlockingQueue<String>().take(); | BLOCKING | LinkedBlockingQueue.take() | ctx.receive(…)
      BlockingQueue<String> q = null; q.poll(1, TimeUnit.DAYS); | BLOCKING | BlockingQueue.poll(…) | ctx.receive(…)
      new CompletableFuture<String>().get(); | BLOCKING | CompletableFuture.get() | ctx.async(…) and Promise.await()

      Files.readString(Path.of("x")); | IO | Files.readString(…)
      new FileInputStream("x"); | IO | new FileInputStream(…)
      new FileWriter("x"); | IO | new FileWriter(…)
      new File("x").exists(); | IO | File.exists()
      new RandomAccessFile("x", "r"); | IO | new RandomAccessFile(…)
      new Socket("localhost", 1); | IO | new Socket(…)
      SocketChannel.open(); | IO | SocketChannel.open()
      URI.create("http://x").toURL().openStream(); | IO | URL.openStream()
      InetAddress.getLocalHost(); | IO | InetAddress.getLocalHost()
      HttpClient.newHttpClient(); | IO | HttpClient.newHttpClient()
      DriverManager.getConnection("x"); | IO | DriverManager.getConnection(…)
      javax.sql.DataSource d = null; d.getConnection(); | IO | DataSource.getConnection()
      new ProcessBuilder("x").start(); | IO | ProcessBuilder.start()
      Runtime.getRuntime().exec(new String[0]); | IO | Runtime.exec(…)
      System.in.read(); | IO | System.in

      System.getenv("x"); | ENVIRONMENT | System.getenv(…)
      System.getProperty("x"); | ENVIRONMENT | System.getProperty(…)
      Integer.getInteger("x"); | ENVIRONMENT | Integer.getInteger(…)
      Runtime.getRuntime().availableProcessors(); | ENVIRONMENT | Runtime.availableProcessors()
      ZoneId.systemDefault(); | ENVIRONMENT | ZoneId.systemDefault() | a ZoneId by name
      Locale.getDefault(); | ENVIRONMENT | Locale.getDefault() | a Locale by name

      System.identityHashCode(input); | IDENTITY | System.identityHashCode(…)
      new Object().hashCode(); | IDENTITY | Object.hashCode()
      DayOfWeek.MONDAY.hashCode(); | IDENTITY | DayOfWeek.hashCode()
      new ThreadLocal<String>().get(); | STATE | ThreadLocal.get()

      ctx.run(() -> { Math.abs(1); }); | LAMBDA | a lambda as an activity without a label

      ctx.onQuery(Query.of("q", String.class, UUID.class), x -> ctx.uuid()); | CHANGE | Context.uuid()
      ctx.onUpdate(Update.of("u", String.class, String.class), x -> ctx.receiveAny(), x -> x); | CHANGE | Context.receiveAny()
      """;

  private record Row(String code, Kind kind, String what, String instead) {
    static Row of(String line) {
      var cells = line.split(" \\| ");
      var kind = Kind.valueOf(cells[1]);
      return new Row(cells[0], kind, cells[2], cells.length > 3 ? cells[3] : kind.instead());
    }
  }

  @TestFactory
  Stream<DynamicTest> it_is_found_with_what_to_use_instead(@TempDir Path folder) {
    var rows = TABLE.lines().filter(line -> !line.isBlank()).map(Row::of).toList();
    var sources = new LinkedHashMap<String, String>();
    for (var row : rows) {
      var name = "Sample" + rows.indexOf(row);
      sources.put(name, Samples.workflow(name, row.code()));
    }
    var found =
        Samples.compile(folder, sources).scan().all().stream()
            .collect(Collectors.groupingBy(Finding::type));

    return rows.stream()
        .map(
            row ->
                dynamicTest(
                    row.code(),
                    () -> {
                      var findings =
                          found.getOrDefault("samples.Sample" + rows.indexOf(row), List.of());
                      assertThat(findings)
                          .extracting(Finding::kind, Finding::what, Finding::instead)
                          .containsExactly(tuple(row.kind(), row.what(), row.instead()));
                    }));
  }

  @Test
  void every_kind_of_call_is_in_the_table() {
    assertThat(TABLE)
        .contains(
            Stream.of(Kind.values())
                .filter(kind -> !ELSEWHERE.contains(kind))
                .map(kind -> "| " + kind + " |")
                .toList());
  }

  @Test
  void a_subclass_of_a_thread_is_a_thread(@TempDir Path folder) {
    var findings =
        Samples.findings(folder, "new Worker().start();", "class Worker extends Thread {}");

    assertThat(findings)
        .extracting(Finding::what)
        .containsExactlyInAnyOrder("Worker.start()", "new Thread()");
  }

  @Test
  void an_enum_and_a_class_without_a_hash_code_have_that_of_their_place_in_memory(
      @TempDir Path folder) {
    var findings =
        Samples.findings(
            folder,
            "new Plain().hashCode(); Colour.RED.hashCode(); new Value(1).hashCode();"
                + " input.hashCode();",
            "class Plain {} enum Colour { RED } record Value(int x) {}");

    assertThat(findings)
        .extracting(Finding::what)
        .containsExactlyInAnyOrder("Object.hashCode()", "Colour.hashCode()");
  }

  @Test
  void a_random_generator_in_a_field_is_not_seeded_by_the_run(@TempDir Path folder) {
    var source =
        """
        public class Dice implements Workflow<String, Object> {
          private final Random random = new Random(7);
          public Object run(Context ctx, String input) {
            int fair = new Random(7).nextInt() + ctx.random().nextInt();
            return random.nextInt();
          }
        }
        """;

    var findings = Samples.compile(folder, Map.of("Dice", source)).scan().all();

    assertThat(findings)
        .extracting(Finding::kind, Finding::line)
        .containsExactly(tuple(Kind.RANDOM, 5));
  }
}
