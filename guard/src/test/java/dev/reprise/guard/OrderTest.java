package dev.reprise.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

class OrderTest {
  private static final String TABLE =
      """
      for (var x : new HashMap<String, String>().entrySet()) ctx.sleep(Duration.ZERO); | iteration over HashMap
      for (var x : new HashMap<String, String>().keySet()) ctx.sleep(Duration.ZERO); | iteration over HashMap
      new HashMap<String, String>().forEach((k, v) -> {}); | iteration over HashMap
      Map<String, String> m = new HashMap<>(); m.put("a", "b"); for (var x : m.values()) ctx.sleep(Duration.ZERO); | iteration over HashMap
      for (var x : new HashSet<>(List.of(1, 2))) ctx.sleep(Duration.ZERO); | iteration over HashSet
      for (var x : new ConcurrentHashMap<String, String>().keySet()) ctx.sleep(Duration.ZERO); | iteration over ConcurrentHashMap
      for (var x : new IdentityHashMap<String, String>().values()) ctx.sleep(Duration.ZERO); | iteration over IdentityHashMap
      for (var x : Set.of("a", "b")) ctx.sleep(Duration.ZERO); | iteration over Set.of(…)
      for (var x : Set.of(new String[] {"a"})) ctx.sleep(Duration.ZERO); | iteration over Set.of(…)
      Map.of("a", 1, "b", 2).forEach((k, v) -> {}); | iteration over Map.of(…)
      for (var x : Map.copyOf(new TreeMap<String, String>()).keySet()) ctx.sleep(Duration.ZERO); | iteration over Map.copyOf(…)
      for (var x : Collections.unmodifiableSet(new HashSet<>(List.of(1)))) ctx.sleep(Duration.ZERO); | iteration over HashSet
      Stream.of(1, 2).collect(Collectors.toSet()).forEach(x -> {}); | iteration over Collectors.toSet
      Stream.of(1, 2).collect(Collectors.groupingBy(x -> x)).forEach((k, v) -> {}); | iteration over Collectors.groupingBy
      new HashSet<>(List.of(1, 2)).stream().map(x -> x + 1).forEach(x -> {}); | iteration over HashSet
      new HashSet<>(List.of(1, 2)).stream().findFirst(); | iteration over HashSet
      new HashSet<>(List.of("a", "b")).stream().collect(Collectors.joining()); | iteration over HashSet
      ctx.all(new HashSet<>(List.of("a", "b")).stream().map(x -> ctx.async(() -> x)).toList()); | a list made from HashSet
      new ArrayList<>(new HashSet<>(List.of("a", "b"))).getFirst(); | a list made from HashSet
      List.copyOf(new HashMap<String, String>().values()); | a list made from HashMap
      String.join(",", new HashSet<>(List.of("a", "b"))); | iteration over HashSet
      Map<String, String> m = input.isEmpty() ? new HashMap<>() : new TreeMap<>(); for (var x : m.keySet()) ctx.sleep(Duration.ZERO); | iteration over HashMap
      Set<String> s = new LinkedHashSet<>(); for (int i = 0; i < 2; i++) { for (var x : s) ctx.sleep(Duration.ZERO); s = new HashSet<>(s); } | iteration over HashSet
      """;

  @TestFactory
  Stream<DynamicTest> the_order_of_hash_codes_is_found_where_it_matters(@TempDir Path folder) {
    var rows = TABLE.lines().map(line -> line.split(" \\| ")).toList();
    var sources = new LinkedHashMap<String, String>();
    for (int i = 0; i < rows.size(); i++) {
      sources.put("Sample" + i, Samples.workflow("Sample" + i, rows.get(i)[0]));
    }
    var found =
        Samples.compile(folder, sources).scan().all().stream()
            .collect(Collectors.groupingBy(Finding::type));

    return rows.stream()
        .map(
            row ->
                dynamicTest(
                    row[0],
                    () ->
                        assertThat(
                                found.getOrDefault("samples.Sample" + rows.indexOf(row), List.of()))
                            .extracting(Finding::kind, Finding::what)
                            .containsExactly(tuple(Kind.ORDER, row[1]))));
  }

  @Test
  void it_is_found_through_fields_and_results_and_captured_variables(@TempDir Path folder) {
    var source =
        """
        public class Orders implements Workflow<String, Object> {
          private static final Set<String> CODES = Set.of("a", "b");
          private static class Cart {
            private final Map<String, Integer> items = new HashMap<>();
            void add(String name) { items.merge(name, 1, Integer::sum); }
            int first() { return items.values().iterator().next(); }
          }
          private Map<String, Integer> prices() { var m = new HashMap<String, Integer>(); return m; }
          public Object run(Context ctx, String input) {
            for (var code : CODES) ctx.sleep(Duration.ZERO);
            var cart = new Cart();
            cart.add(input);
            prices().get(input);
            prices().keySet().forEach(key -> ctx.sleep(Duration.ZERO));
            var seen = new HashSet<String>();
            ctx.async(() -> { for (var each : seen) ctx.sleep(Duration.ZERO); return 1; });
            return cart.first();
          }
        }
        """;

    var findings = Samples.compile(folder, Map.of("Orders", source)).scan().all();

    assertThat(findings)
        .extracting(Finding::line, Finding::what)
        .containsExactlyInAnyOrder(
            tuple(6, "iteration over HashMap"),
            tuple(10, "iteration over Set.of(…)"),
            tuple(14, "iteration over HashMap"),
            tuple(16, "iteration over HashSet"));
  }
}
