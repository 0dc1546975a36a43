package dev.reprise.examples.first;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.HistoryEvent;
import dev.reprise.engine.Reprise;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SignUpTest {
  private final List<String> done = new ArrayList<>();

  private final Accounts accounts =
      address -> {
        done.add("account for " + address);
        return "account-1";
      };
  private final Mail mail = (address, account) -> done.add("mail about " + account);

  // tag::test[]
  @Test
  void a_customer_gets_an_account_and_a_mail() {
    try (var engine = Reprise.inMemory().workflow(new SignUp(accounts, mail)).start()) {
      var signUp = engine.start(SignUp.class, "ada", "ada@example.org");

      assertThat(signUp.result()).isEqualTo("account-1");
      assertThat(done).containsExactly("account for ada@example.org", "mail about account-1");
    }
  }

  // end::test[]

  @Test
  void starting_it_again_gives_the_same_result_and_does_nothing() {
    try (var engine = Reprise.inMemory().workflow(new SignUp(accounts, mail)).start()) {
      engine.start(SignUp.class, "ada", "ada@example.org").result();
      done.clear();

      var again = engine.start(SignUp.class, "ada", "ada@example.org");

      assertThat(again.result()).isEqualTo("account-1");
      assertThat(done).isEmpty();
    }
  }

  @Test
  void the_history_tells_what_happened_and_which_line_asked_for_it() {
    try (var engine = Reprise.inMemory().workflow(new SignUp(accounts, mail)).start()) {
      var signUp = engine.start(SignUp.class, "ada", "ada@example.org");
      signUp.result();

      assertThat(signUp.history())
          .extracting(HistoryEvent::type, HistoryEvent::subject)
          .map(Object::toString)
          .containsExactly(
              "(\"WorkflowStarted\", \"SignUp\")",
              "(\"ActivityCompleted\", \"Accounts.create:1\")",
              "(\"ActivityCompleted\", \"Mail.welcome:1\")",
              "(\"WorkflowCompleted\", \"\")");
      assertThat(signUp.history().get(1).callSite()).startsWith("SignUp.java:");
    }
  }
}
