package dev.reprise.engine.bind;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.Workflow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SourceHashTest {
  private static final String SOURCE =
      """
      package acme.orders;
      import dev.reprise.*;
      import java.time.Duration;
      import java.util.*;
      import java.util.function.*;

      public class Checkout implements Workflow<String, String> {
        enum Size { SMALL, LARGE }
        record Line(String item, int count) {}
        interface Payments { String charge(String order); }

        private static final int LIMIT = 10;
        private final Payments payments;

        public Checkout(Payments payments) { this.payments = payments; }

        public String run(Context ctx, String order) throws Exception {
          final int days = 3;
          final String greeting = "hello";
          var total = 0;
          for (int i = 0; i < LIMIT; i++) {
            final int twice = 2;
            total += i * twice;
          }
          String state = "new";
          if (order.isEmpty()) state = "empty";
          try {
            ctx.sleep(Duration.ofDays(days));
            var receipt = ctx.run(payments::charge, order);
            return greeting + receipt + state + new Line(order, total);
          } catch (IllegalStateException e) {
            ctx.run("log", String.class, () -> "failed " + order);
            throw e;
          } finally {
            total = -1;
          }
        }

        private int weight(Size size, Object what) {
          int base = 7;
          while (base < 9) base++;
          var sorter = new Comparator<String>() {
            @Override public int compare(String a, String b) { return a.length() - base(a) - b.length(); }
            int base(String a) { return what.hashCode(); }
          };
          Supplier<Comparator<String>> same = () -> sorter;
          Supplier<Comparator<String>> again = () -> sorter;
          class Local { int times(int n) { return n == 0 ? 0 : new Local().times(n - 1); } }
          return switch (size) {
            case SMALL -> same.get().compare("a", "b");
            case LARGE -> switch (what) {
              case Line(var item, var count) when count > 3 -> new Local().times(count);
              case String text -> text.length();
              default -> again.get().compare("b", "a");
            };
          };
        }

        static Workflow<String, String> small() {
          return (ctx, order) -> ctx.run("small", String.class, () -> "done");
        }
      }
      """;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"-g", "-g:none", "-g:lines", "-g:vars", "-parameters"})
  void the_options_of_the_compiler_make_no_difference(String option) {
    assertThat(hash(SOURCE, option)).isEqualTo(hash(SOURCE)).matches("[0-9a-f]{32}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a comment              | var total = 0;         | /* from none */ var total = 0;
          other lines            | public class           | \\n\\n\\npublic class
          a variable             | receipt                | bill
          a captured variable    | sorter                 | order
          a captured parameter   | what                   | thing
          """)
  void what_code_does_not_do_makes_no_difference(String what, String before, String after) {
    var changed = SOURCE.replace(before, lines(after));

    assertThat(changed).as(what).isNotEqualTo(SOURCE);
    assertThat(hash(changed)).as(what).isEqualTo(hash(SOURCE));
  }

  @Test
  void the_order_of_methods_makes_no_difference() {
    assertThat(moved()).isNotEqualTo(SOURCE);
    assertThat(hash(moved())).isEqualTo(hash(SOURCE));
  }

  /** The last method comes first, so that lambdas get other numbers. */
  private static String moved() {
    int start = SOURCE.indexOf("  static Workflow");
    int end = SOURCE.lastIndexOf('}');
    var method = SOURCE.substring(start, end);
    var rest = SOURCE.substring(0, start) + SOURCE.substring(end);
    return rest.replace(
        "  private static final int LIMIT", method + "  private static final int LIMIT");
  }

  private static String lines(String text) {
    return text.replace("\\n", "\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a constant              | LIMIT = 10            | LIMIT = 11
          a constant variable     | days = 3              | days = 4
          a text                  | "hello"               | "hullo"
          a value before a branch | state = "new"         | state = "old"
          a value before a loop   | base = 7              | base = 8
          a call                  | ctx.sleep(Duration.ofDays(days)) | ctx.sleep(Duration.ofHours(days))
          a branch                | if (order.isEmpty())  | if (!order.isEmpty())
          an operator             | total += i            | total -= i
          a lambda                | "failed " + order     | "failed: " + order
          a lambda in another     | -> "done"             | -> "ready"
          one of two lambdas      | again = () -> sorter  | again = () -> null
          a method reference      | payments::charge      | payments::toString
          which variable          | greeting + receipt + state | greeting + state + receipt
          which parameter         | return a.length() - base(a) - b.length() | return b.length() - base(b) - a.length()
          an anonymous class      | return a.length() -   | return b.length() -
          a local class           | n == 0 ? 0            | n == 0 ? 1
          a pattern               | count > 3             | count > 2
          an enum                 | SMALL, LARGE          | LARGE, SMALL
          a record                | int count             | long count
          a caught exception      | IllegalStateException | IllegalArgumentException
          a field                 | LIMIT = 10;           | LIMIT = 10; private int more;
          """)
  void what_code_does_makes_a_difference(String what, String before, String after) {
    var changed =
        SOURCE.replace(before, after).replace("payments::toString, order", "payments::toString");
    if (what.equals("a record")) changed = changed.replace("times(count)", "times((int) count)");

    assertThat(changed).as(what).isNotEqualTo(SOURCE);
    assertThat(hash(changed)).as(what).isNotEqualTo(hash(SOURCE));
  }

  @Test
  void a_lambda_that_is_written_before_others_changes_only_its_own_method() {
    var method = "static Object other() { return (Runnable) () -> {}; }\n";
    var first = SOURCE.replace("public Checkout(", method + "public Checkout(");
    var last = SOURCE.replace("static Workflow", method + "static Workflow");

    assertThat(hash(first)).isEqualTo(hash(last)).isNotEqualTo(hash(SOURCE));
  }

  @Test
  void an_anonymous_class_that_is_written_before_others_changes_only_its_own_method() {
    var method = "static Object other() { return new Object() { int x; }; }\n";
    var first = SOURCE.replace("public Checkout(", method + "public Checkout(");
    var last = SOURCE.replace("static Workflow", method + "static Workflow");

    assertThat(hash(first)).isEqualTo(hash(last)).isNotEqualTo(hash(SOURCE));
  }

  @Test
  void a_class_may_be_renamed_and_moved() {
    var renamed = SOURCE.replace("Checkout", "Purchase").replace("acme.orders", "shop");

    assertThat(SourceHash.of(load("shop.Purchase", renamed))).isEqualTo(hash(SOURCE));
  }

  @Test
  void superclasses_and_interfaces_of_the_project_belong_to_it() {
    var source =
        """
        package acme.orders;
        public class Small extends Large implements Named { }
        class Large { int size() { return 1; } }
        interface Named { default String name() { return "a"; } }
        """;

    var hash = SourceHash.of(load("acme.orders.Small", source));

    assertThat(SourceHash.of(load("acme.orders.Small", source.replace("return 1", "return 2"))))
        .isNotEqualTo(hash);
    assertThat(SourceHash.of(load("acme.orders.Small", source.replace("\"a\"", "\"b\""))))
        .isNotEqualTo(hash);
  }

  @Test
  void classes_of_libraries_do_not_belong_to_it() {
    var source = "package acme.orders; public class Mine extends java.util.ArrayList<String> { }";

    assertThat(SourceHash.of(load("acme.orders.Mine", source))).hasSize(32);
  }

  @Test
  void a_lambda_has_the_hash_of_the_class_it_is_written_in() {
    Workflow<String, String> lambda = (ctx, order) -> order;

    assertThat(WorkflowDefinition.of("l", String.class, String.class, lambda).hash())
        .isEqualTo(SourceHash.of(SourceHashTest.class))
        .hasSize(32);
  }

  @Test
  void code_that_cannot_be_read_has_no_hash() throws IOException {
    var compiled = Compiled.of(folder, "acme.orders.Checkout", SOURCE);
    var type = compiled.load("acme.orders.Checkout");
    Files.delete(compiled.folder().resolve("acme/orders/Checkout.class"));

    assertThat(SourceHash.of(type)).isEqualTo(SourceHash.UNKNOWN);
    assertThat(SourceHash.of(Map.class)).isEqualTo(SourceHash.UNKNOWN);
  }

  private String hash(String source, String... options) {
    return SourceHash.of(load("acme.orders.Checkout", source, options));
  }

  private Class<?> load(String name, String source, String... options) {
    return Compiled.of(folder, name, source, options).load(name);
  }
}
