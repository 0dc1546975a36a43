package dev.reprise.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

class AllowedCodeTest {

  /** What looks like something that is forbidden, but is not. */
  private static final String CODE =
      """
      Instant t = ctx.now().plus(Duration.ofDays(1)); t.isBefore(Instant.parse("2030-01-01T00:00:00Z"));
      LocalDate.ofInstant(ctx.now(), ZoneOffset.UTC).plusDays(1).getDayOfWeek();
      Duration.between(ctx.now(), ctx.now()).toMillis();
      Clock.fixed(ctx.now(), ZoneId.of("Europe/Paris"));
      new Date(0L).getTime();
      ctx.random().nextInt(6); ctx.uuid().toString();
      new Random(42).nextInt(); new SplittableRandom(42).nextInt();
      Collections.shuffle(new ArrayList<>(List.of(1, 2)), Random.from(ctx.random()));
      UUID.fromString("00000000-0000-0000-0000-000000000000"); UUID.nameUUIDFromBytes(new byte[0]);
      Math.max(1, 2); Math.floorMod(3, 2);
      ctx.sleep(Duration.ofDays(1)); ctx.await(() -> input.isEmpty());
      Thread.currentThread().interrupt();
      CompletableFuture.completedFuture(1).thenApply(x -> x + 1);
      new CountDownLatch(1).countDown();
      new LinkedBlockingQueue<String>().poll();
      ctx.async(() -> 1).await();
      Path.of("a").resolve("b").getFileName(); new File("x").getName();
      new ByteArrayInputStream(new byte[1]).read(); new StringReader("x").read();
      URI.create("http://x").getHost(); HttpRequest.newBuilder();
      System.lineSeparator(); System.arraycopy(new int[1], 0, new int[1], 0, 1);
      Integer.parseInt("1"); Long.parseLong("1"); Locale.of("de"); Boolean.parseBoolean("true");
      ctx.logger().log(System.Logger.Level.INFO, "hello"); System.out.println("hello");
      java.util.logging.Logger.getLogger("x").info("hello");
      input.hashCode(); Objects.hash(1, 2); List.of(1).hashCode();
      synchronized (input) { input.length(); }

      var m = new HashMap<String, Integer>(); m.put("a", 1); m.get("a"); m.merge("a", 1, Integer::sum); m.size();
      var s = new HashSet<String>(); s.add("a"); s.contains("a"); s.addAll(List.of("b")); s.isEmpty();
      new HashMap<String, Integer>().values().stream().filter(x -> x > 1).count();
      new HashSet<>(List.of(1, 2)).stream().anyMatch(x -> x > 1);
      new HashSet<>(List.of(1, 2)).stream().mapToInt(x -> x).sum();
      new HashSet<>(List.of(1, 2)).stream().sorted().forEach(x -> {});
      new HashMap<String, Integer>().keySet().stream().map(x -> x + "!").sorted().toList();
      var l = new ArrayList<>(new HashSet<>(List.of(2, 1))); Collections.sort(l); l.forEach(x -> {});
      var l = new ArrayList<>(new HashMap<Integer, Integer>().keySet()); l.sort(null); for (var x : l) ctx.sleep(Duration.ZERO);
      for (var x : new TreeMap<>(new HashMap<String, String>()).entrySet()) ctx.sleep(Duration.ZERO);
      for (var x : new TreeSet<>(new HashSet<String>())) ctx.sleep(Duration.ZERO);
      for (var x : new LinkedHashMap<String, String>().keySet()) ctx.sleep(Duration.ZERO);
      for (var x : new LinkedHashSet<>(List.of(1))) ctx.sleep(Duration.ZERO);
      for (var x : new EnumMap<DayOfWeek, String>(DayOfWeek.class).keySet()) ctx.sleep(Duration.ZERO);
      for (var x : List.of(1, 2, 3)) ctx.sleep(Duration.ZERO);
      for (var x : Map.of("a", 1).keySet()) ctx.sleep(Duration.ZERO);
      for (var x : Set.of("a")) ctx.sleep(Duration.ZERO);
      Set.of("a", "b").contains(input); Map.of("a", 1, "b", 2).get(input);
      Map<String, Integer> m = new TreeMap<>(); if (input.isEmpty()) m = new LinkedHashMap<>(); for (var x : m.values()) ctx.sleep(Duration.ZERO);
      Stream.of(1, 2).collect(Collectors.toSet()).contains(1);
      Stream.of(1, 2).collect(Collectors.groupingBy(x -> x, TreeMap::new, Collectors.toList())).forEach((k, v) -> {});
      Stream.of(1, 2).map(x -> x + 1).toList().forEach(x -> {});
      int[] counts = new int[3]; counts[1]++; long big = 1L << 3; double d = -big * 2.0; ctx.sleep(Duration.ofMillis((long) d));
      switch (input) { case "a" -> ctx.sleep(Duration.ZERO); case "b", "c" -> ctx.now(); default -> ctx.uuid(); }
      try { ctx.sleep(Duration.ZERO); } catch (ActivityFailed e) { ctx.now(); } finally { ctx.uuid(); }
      record Point(int x, int y) {} var p = new Point(1, 2); p.equals(new Point(1, 2)); p.hashCode(); p.toString();
      Object o = input; String text = o instanceof String s && s.length() > 1 ? s : "x" + o; text.length();

      ctx.run("now", Instant.class, () -> Instant.now());
      ctx.run("now", Instant.class, Instant::now);
      ctx.run("sleep", () -> Thread.sleep(10));
      ctx.with(ActivityOptions.defaults()).run("read", String.class, () -> Files.readString(Path.of("x")));
      Callable<Instant> step = Instant::now; ctx.run("now", Instant.class, step);
      Steps.Action step = () -> Thread.sleep(10); ctx.run("sleep", step);
      ctx.run("ids", new TypeRef<List<UUID>>() {}, () -> List.of(UUID.randomUUID()));
      ctx.async(() -> ctx.run("now", Instant.class, () -> Instant.now()));
      ctx.shielded(() -> ctx.run("now", Instant.class, () -> Instant.now()));
      ctx.shielded(() -> ctx.run("sleep", () -> Thread.sleep(10)));
      ctx.loop(1, n -> ctx.run("roll", Integer.class, () -> new Random().nextInt()));
      ctx.onUpdate(Update.of("u", String.class, Instant.class), x -> ctx.run("now", Instant.class, () -> Instant.now()));
      ctx.onQuery(Query.of("q", String.class, Integer.class), x -> x.length() + ctx.historySize());
      ctx.onQuery(Query.of("q", String.class, String.class), x -> ctx.workflowId() + ctx.now() + ctx.cancelled());
      ctx.onUpdate(Update.of("u", String.class, String.class), x -> Objects.requireNonNull(x), x -> ctx.uuid() + x);
      var done = ctx.async(() -> 1); ctx.onQuery(Query.of("q", String.class, Boolean.class), x -> done.isDone());
      ctx.run("now", Instant.class, new Callable<Instant>() { public Instant call() { return Instant.now(); } });
      """;

  @TestFactory
  Stream<DynamicTest> nothing_is_found(@TempDir Path folder) {
    var lines = CODE.lines().filter(line -> !line.isBlank()).toList();
    var sources = new LinkedHashMap<String, String>();
    for (int i = 0; i < lines.size(); i++) {
      sources.put("Sample" + i, Samples.workflow("Sample" + i, lines.get(i)));
    }
    var samples = Samples.compile(folder, sources).scan();
    var found = samples.all().stream().collect(Collectors.groupingBy(Finding::file));

    assertThat(samples.workflows()).hasSameSizeAs(lines);
    return lines.stream()
        .map(
            line ->
                dynamicTest(
                    line,
                    () ->
                        assertThat(
                                found.getOrDefault(
                                    "Sample%d.java".formatted(lines.indexOf(line)), List.of()))
                            .isEmpty()));
  }
}
