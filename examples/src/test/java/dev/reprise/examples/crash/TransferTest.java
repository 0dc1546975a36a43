package dev.reprise.examples.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.MemoryStore;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Transition;
import dev.reprise.examples.crash.Transfer.Amount;
import dev.reprise.testkit.CrashingStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

class TransferTest {
  private static final Amount AMOUNT = new Amount("ada", "grace", 500);

  private final Ledger ledger = new Ledger();
  private final MemoryStore store = new MemoryStore();

  // tag::test[]
  @Test
  void what_completed_before_the_crash_is_not_done_again() throws InterruptedException {
    var doomed = new CrashingStore(store, transition -> records(transition, "Bank.withdraw"));
    try (var first = engine(doomed)) {
      first.start(Transfer.class, "transfer-1", AMOUNT);
      doomed.awaitCrash(); // the withdrawal is recorded, and nothing after it
    }

    try (var second = engine(store)) {
      assertThat(second.handle(Transfer.class, "transfer-1").result()).isEqualTo("moved 500 cents");
    }
    assertThat(ledger.calls).containsExactly("withdraw from ada", "deposit to grace");
  }

  // end::test[]

  @Test
  void what_was_running_at_the_crash_is_done_again_and_its_key_keeps_it_harmless()
      throws InterruptedException {
    var doomed = new CrashingStore(store, _ -> false);
    ledger.afterDeposit = doomed::crash; // the money is there, but nobody wrote that down
    try (var first = engine(doomed)) {
      first.start(Transfer.class, "transfer-1", AMOUNT);
      doomed.awaitCrash();
    }

    try (var second = engine(store)) {
      second.handle(Transfer.class, "transfer-1").result();
    }
    assertThat(ledger.calls)
        .containsExactly("withdraw from ada", "deposit to grace", "deposit to grace");
    assertThat(ledger.balances).isEqualTo(Map.of("ada", -500L, "grace", 500L));
  }

  private Engine engine(Store on) {
    return Reprise.on(on).workflow(new Transfer(ledger)).start();
  }

  private static boolean records(Transition transition, String activity) {
    return transition instanceof Transition.Append(_, List<EventRow> events, _, _)
        && events.stream()
            .anyMatch(row -> row.recorded().event().subject().startsWith(activity + ":"));
  }

  /** A bank that books each key once, however often it is asked. */
  private static final class Ledger implements Bank {
    final Queue<String> calls = new ConcurrentLinkedQueue<>();
    final Map<String, Long> balances = new HashMap<>();
    Runnable afterDeposit = () -> {};

    private final Map<String, Long> booked = new HashMap<>();

    @Override
    public void withdraw(String account, long cents, String key) {
      calls.add("withdraw from " + account);
      book(account, -cents, key);
    }

    @Override
    public void deposit(String account, long cents, String key) {
      calls.add("deposit to " + account);
      book(account, cents, key);
      afterDeposit.run();
    }

    private synchronized void book(String account, long cents, String key) {
      if (booked.putIfAbsent(key, cents) == null) balances.merge(account, cents, Long::sum);
    }
  }
}
