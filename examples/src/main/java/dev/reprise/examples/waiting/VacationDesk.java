package dev.reprise.examples.waiting;

import dev.reprise.engine.Reprise;
import dev.reprise.examples.waiting.VacationRequest.Decision;

/**
 * The desk at which Grace decides about a vacation, with the history in the file {@code
 * vacation.db} of the current folder. Without an argument it only looks; {@code yes} and {@code no}
 * decide.
 */
public final class VacationDesk {
  private VacationDesk() {}

  // tag::main[]
  public static void main(String[] args) {
    try (var engine =
        Reprise.open("jdbc:sqlite:vacation.db").workflow(new VacationRequest()).start()) {
      var request = engine.start(VacationRequest.class, "ada-summer", "Ada");
      System.out.println("the request is " + request.status());

      if (args.length > 0) {
        request.signal(VacationRequest.DECISION, new Decision(args[0].equals("yes"), "Grace"));
        System.out.println("the answer: " + request.result());
      }
    }
  }
  // end::main[]
}
