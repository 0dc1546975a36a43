package dev.reprise.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Objects that a workflow has from elsewhere are called as activities, or not at all. */
class InjectionTest {
  private static final String PAY =
      """
      interface Pay { String charge(String order); default void log() {} }
      """;

  @TempDir private Path folder;

  private List<String> found(String source) {
    return Samples.compile(folder, Map.of("Sample", source)).scan().all().stream()
        .map(Finding::describe)
        .toList();
  }

  /** A workflow with this field of an interface type; its code is in line 4. */
  private List<String> ofPay(String code, String... others) {
    return found(
        """
        public class Sample implements Workflow<String, Object> {
          private final Pay pay; public Sample(Pay pay) { this.pay = Objects.requireNonNull(pay); }
          public Object run(Context ctx, String order) throws Exception {
        %s
            return null;
          }
        }
        """
                .formatted(code)
            + PAY
            + String.join("\n", others));
  }

  private static String direct(int line) {
    return "Sample.java:%d: Pay.charge(…) is called on an object from outside of the workflow, and again on every replay: use ctx.run(pay::charge, …)"
        .formatted(line);
  }

  @Test
  void a_direct_call_of_what_the_constructor_took_is_found() {
    assertThat(ofPay("pay.charge(order);")).containsExactly(direct(4));
  }

  @Test
  void it_is_found_in_branches_and_variables_and_method_references() {
    assertThat(
            ofPay(
                """
                ctx.async(() -> pay.charge(order)).await();
                var alias = pay; alias.charge(order);
                Optional.of(order).map(pay::charge);
                ctx.shielded(() -> { pay.charge(order); });
                """))
        .containsExactly(direct(4), direct(5), direct(6), direct(7));
  }

  @Test
  void calls_as_activities_are_none() {
    assertThat(
            ofPay(
                """
                ctx.run(pay::charge, order);
                ctx.run("charge", String.class, () -> pay.charge(order));
                ctx.run("log", () -> pay.log());
                ctx.activities(Pay.class).charge(order);
                ctx.schedule(pay::charge, order);
                ctx.compensate(pay::charge, order);
                String text = "" + pay; pay.equals(null);
                """))
        .isEmpty();
  }

  @Test
  void a_record_a_superclass_and_a_helper_keep_such_objects_too() {
    assertThat(
            found(
                """
                public record Sample(Pay pay) implements Workflow<String, Object> {
                  public Object run(Context ctx, String order) { pay.charge(order); return pay().charge(order); }
                }
                abstract class Paying { protected final Pay pay; Paying(Pay pay) { this.pay = pay; } }
                class Lower extends Paying implements Workflow<String, Object> {
                  Lower(Pay pay) { super(pay); }
                  public Object run(Context ctx, String order) { return pay.charge(order); }
                }
                class Delegating implements Workflow<String, Object> {
                  private final Till till; Delegating(Till till) { this.till = till; }
                  public Object run(Context ctx, String order) { till.take(order); return null; }
                }
                class Till { private Pay pay; Till(Pay pay) { this.pay = pay; }
                  void take(String order) { pay.charge(order); } }
                """
                    + PAY))
        .extracting(text -> text.replaceAll(" .*", ""))
        .containsExactly("Sample.java:7:", "Sample.java:2:", "Sample.java:14:");
  }

  @Test
  void what_the_workflow_makes_itself_is_followed_and_not_accused() {
    assertThat(
            ofPay(
                """
                new Basket(new Fixed()).total(order);
                new Basket(x -> x).total(order);
                """,
                """
                interface Tariff { String price(String of); }
                class Fixed implements Tariff { public String price(String of) { return of; } }
                class Basket { private final Tariff tariff; Basket(Tariff tariff) { this.tariff = tariff; }
                  String total(String of) { return tariff.price(of); } }
                """))
        .isEmpty();
  }

  @Test
  void data_is_none() {
    assertThat(
            found(
                """
                public class Sample implements Workflow<Sample.Cart, Object> {
                  private final Level level; public Sample(Level level) { this.level = level; }
                  public Object run(Context ctx, Cart cart) { return level.next().name() + cart.size(); }
                  enum Level { LOW; Level next() { return LOW; } }
                  interface Shape { int size(); }
                  record Cart(Shape shape) { int size() { return shape.size(); } }
                }
                """))
        .isEmpty();
  }

  @Test
  void a_class_is_accused_where_the_method_is_an_activity_elsewhere() {
    assertThat(
            found(
                """
                public class Sample implements Workflow<String, Object> {
                  private final Bank bank; public Sample(Bank bank) { this.bank = bank; }
                  public Object run(Context ctx, String order) {
                    if (bank.isOpen()) ctx.run(bank::charge, order);
                    return bank.charge(order);
                  }
                }
                class Bank { String charge(String order) { return order; } boolean isOpen() { return true; } }
                """))
        .singleElement()
        .asString()
        .startsWith("Sample.java:5: Bank.charge(…) is called on an object from outside");
  }

  @Test
  void a_reason_excuses_the_interface_the_method_or_the_field() {
    assertThat(
            found(
                """
                public class Sample implements Workflow<String, Object> {
                  @Deterministic(because = "constants") private final Pay first;
                  private final Pure second; private final Half third;
                  public Sample(Pay f, Pure s, Half t) { first = f; second = s; third = t; }
                  public Object run(Context ctx, String order) {
                    first.charge(order);
                    second.of(order);
                    third.pure(order);
                    third.effect(order);
                    return null;
                  }
                }
                @Deterministic(because = "no state") interface Pure { String of(String x); }
                interface Half { @Deterministic(because = "a sum") String pure(String x); String effect(String x); }
                """
                    + PAY))
        .singleElement()
        .asString()
        .startsWith("Sample.java:9: Half.effect(…)");
  }

  @Test
  void a_lambda_without_a_label_is_found_where_it_stands() {
    assertThat(
            ofPay(
                """
                ctx.run(() -> pay.charge(order));
                ctx.run(x -> { pay.log(); }, order);
                ctx.compensate(() -> pay.log());
                ctx.run(pay::charge, order);
                ctx.run("label", () -> pay.log());
                """))
        .hasSize(3)
        .allSatisfy(
            text ->
                assertThat(text)
                    .contains(
                        "a lambda as an activity without a label has no name that lasts, so it is"
                            + " refused with R109")
                    .contains("use a method reference such as payments::charge, or a label"))
        .extracting(text -> text.replaceAll(" .*", ""))
        .containsExactly("Sample.java:4:", "Sample.java:5:", "Sample.java:6:");
  }
}
