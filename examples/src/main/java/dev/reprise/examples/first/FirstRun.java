package dev.reprise.examples.first;

import dev.reprise.Handle;
import dev.reprise.engine.Reprise;

/**
 * Signs one customer up, with the history in the file {@code signup.db} of the current folder. Run
 * it again: the same workflow id gives the recorded result, and no second mail is sent.
 */
public final class FirstRun {
  private FirstRun() {}

  // tag::main[]
  public static void main(String[] args) {
    Accounts accounts =
        address -> {
          System.out.println("creates an account for " + address);
          return "account-1";
        };
    Mail mail = (address, account) -> System.out.println("tells " + address + ": " + account);

    try (var engine =
        Reprise.open("jdbc:sqlite:signup.db").workflow(new SignUp(accounts, mail)).start()) {
      Handle<String> signUp = engine.start(SignUp.class, "ada@example.org", "ada@example.org");
      System.out.println("signed up: " + signUp.result());
    }
  }
  // end::main[]
}
