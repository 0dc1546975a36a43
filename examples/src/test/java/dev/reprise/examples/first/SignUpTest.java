package dev.reprise.examples.first;

import static dev.reprise.testkit.RepriseAssertions.assertThat;

import dev.reprise.HistoryEvent;
import dev.reprise.testkit.RepriseTest;
import dev.reprise.testkit.TestEngine;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

// tag::test[]
@RepriseTest
class SignUpTest {
  private final List<String> done = new ArrayList<>();

  private final Accounts accounts =
      address -> {
        done.add("account for " + address);
        return "account-1";
      };
  private final Mail mail = (address, account) -> done.add("mail about " + account);

  @BeforeEach
  void register(TestEngine engine) {
    engine.workflow(new SignUp(accounts, mail));
  }

  @Test
  void a_customer_gets_an_account_and_a_mail(TestEngine engine) {
    var signUp = engine.start(SignUp.class, "ada", "ada@example.org");

    assertThat(signUp.result()).isEqualTo("account-1");
    assertThat(done).containsExactly("account for ada@example.org", "mail about account-1");
  }

  // end::test[]

  @Test
  void starting_it_again_gives_the_same_result_and_does_nothing(TestEngine engine) {
    engine.start(SignUp.class, "ada", "ada@example.org").result();
    done.clear();

    var again = engine.start(SignUp.class, "ada", "ada@example.org");

    assertThat(again.result()).isEqualTo("account-1");
    assertThat(done).isEmpty();
  }

  @Test
  void the_history_tells_what_happened_and_which_line_asked_for_it(TestEngine engine) {
    var signUp = engine.start(SignUp.class, "ada", "ada@example.org");

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
