package dev.reprise.engine.bind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.ErrorCode;
import dev.reprise.Name;
import dev.reprise.RepriseException;
import dev.reprise.Steps.Step0;
import dev.reprise.Steps.Step1;
import dev.reprise.Steps.Step2;
import dev.reprise.Steps.VoidStep1;
import dev.reprise.TypeRef;
import dev.reprise.Was;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class MethodRefTest {

  interface Payments {
    String charge(String order);
  }

  static class Bank implements Payments {
    @Override
    public String charge(String order) {
      return order;
    }

    List<String> list(String a, int b) {
      return List.of();
    }

    void forget(String a) {}

    private int secret() {
      return 1;
    }

    Step0<Integer> secretly() {
      return this::secret;
    }

    static String fixed(String a) {
      return a;
    }

    @Name("the-oracle")
    long oracle() {
      return 1;
    }

    <T> T same(T value) {
      return value;
    }
  }

  static final class Branch extends Bank {
    @Override
    public String charge(String order) {
      return "";
    }
  }

  @Name("till")
  static final class Till {
    int open() {
      return 1;
    }
  }

  @Was({"Teller", "Clerk"})
  static final class Cashier {
    @Was("Cashier.payOut")
    String pay(String a) {
      return a;
    }

    String take(String a) {
      return a;
    }
  }

  private final Bank bank = new Bank();

  @Test
  void the_name_is_that_of_the_type_and_the_method() {
    Step1<String, String> charge = bank::charge;
    VoidStep1<String> forget = bank::forget;
    Step1<String, String> fixed = Bank::fixed;

    assertThat(MethodRef.of(charge).name()).isEqualTo("Bank.charge");
    assertThat(MethodRef.of(charge).result()).isEqualTo(String.class);
    assertThat(MethodRef.of(charge).parameters()).containsExactly(String.class);
    assertThat(MethodRef.of(forget).name()).isEqualTo("Bank.forget");
    assertThat(MethodRef.of(fixed).name()).isEqualTo("Bank.fixed");
    assertThat(MethodRef.of(bank.secretly()).name()).isEqualTo("Bank.secret");
    assertThat(MethodRef.of(bank.secretly()).result()).isEqualTo(int.class);
  }

  @Test
  void the_type_is_the_declared_one_not_that_of_the_object() {
    Payments payments = bank;
    Step1<String, String> byInterface = payments::charge;
    Bank branch = new Branch();
    Step1<String, String> bySuperclass = branch::charge;

    assertThat(MethodRef.of(byInterface).name()).isEqualTo("Payments.charge");
    assertThat(MethodRef.of(bySuperclass).name()).isEqualTo("Bank.charge");
  }

  @Test
  void names_can_be_given() {
    Step0<Long> oracle = bank::oracle;
    Step0<Integer> open = new Till()::open;

    assertThat(MethodRef.of(oracle).name()).isEqualTo("the-oracle");
    assertThat(MethodRef.of(open).name()).isEqualTo("till.open");
  }

  @Test
  void former_names_are_those_of_the_method_and_those_by_its_type() throws NoSuchMethodException {
    var cashier = new Cashier();
    Step1<String, String> pay = cashier::pay;
    Step1<String, String> take = cashier::take;
    Step1<String, String> charge = bank::charge;

    assertThat(MethodRef.of(pay).formerNames())
        .containsExactly("Cashier.payOut", "Teller.pay", "Clerk.pay");
    assertThat(MethodRef.of(take).formerNames()).containsExactly("Teller.take", "Clerk.take");
    assertThat(MethodRef.of(charge).formerNames()).isEmpty();
    var method = Cashier.class.getDeclaredMethod("take", String.class);
    assertThat(MethodRef.formerNamesOf(Cashier.class, method))
        .isEqualTo(MethodRef.of(take).formerNames());
  }

  @Test
  void the_result_type_keeps_its_arguments() {
    Step2<String, Integer, List<String>> list = bank::list;

    assertThat(MethodRef.of(list).result()).isEqualTo(new TypeRef<List<String>>() {}.type());
  }

  @Test
  void the_result_type_of_a_generic_method_is_that_of_the_call() {
    Step1<String, String> same = bank::same;

    assertThat(MethodRef.of(same).result()).isEqualTo(String.class);
  }

  @Test
  void what_is_known_of_a_place_in_the_code_is_found_again() {
    Supplier<Step1<String, String>> place = () -> bank::charge;

    assertThat(MethodRef.of(place.get())).isSameAs(MethodRef.of(place.get()));
  }

  @Test
  void a_lambda_is_R109_and_the_message_shows_where_it_is() {
    Step1<String, String> lambda = a -> a;

    var e = catchThrowableOfType(RepriseException.class, () -> MethodRef.of(lambda));

    assertThat(e.code()).isEqualTo(ErrorCode.R109);
    assertThat(e).hasMessageContaining(MethodRefTest.class.getName());
  }
}
