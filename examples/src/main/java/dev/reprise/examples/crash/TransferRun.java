package dev.reprise.examples.crash;

import dev.reprise.engine.Reprise;
import dev.reprise.examples.crash.Transfer.Amount;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Moves five euros, slowly enough to be killed on the way. The history is in the file {@code
 * transfers.db} of the current folder, the bank's books are in {@code bank.txt}.
 */
public final class TransferRun {
  private TransferRun() {}

  // tag::main[]
  public static void main(String[] args) {
    var bank = new SlowBank(Path.of("bank.txt"), Duration.ofSeconds(4));
    try (var engine =
        Reprise.open("jdbc:sqlite:transfers.db").workflow(new Transfer(bank)).start()) {
      System.out.println("this is process " + ProcessHandle.current().pid());
      var transfer = engine.start(Transfer.class, "transfer-1", new Amount("ada", "grace", 500));
      System.out.println(transfer.result());
    }
  }
  // end::main[]
}
