package dev.reprise.examples.crash;

import static dev.reprise.testkit.RepriseAssertions.assertThat;

import dev.reprise.examples.crash.Transfer.Amount;
import dev.reprise.testkit.CrashEverywhere;
import dev.reprise.testkit.RepriseTest;
import dev.reprise.testkit.TestEngine;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@RepriseTest
class TransferTest {
  private static final Amount AMOUNT = new Amount("ada", "grace", 500);

  private final Ledger ledger = new Ledger();

  @BeforeEach
  void register(TestEngine engine) {
    engine.workflow(new Transfer(ledger));
  }

  @CrashEverywhere
  void what_completed_before_a_crash_is_not_done_again(TestEngine engine) {
    var transfer = engine.start(Transfer.class, "transfer-1", AMOUNT);

    assertThat(transfer).completedWith("moved 500 cents");
    assertThat(ledger.calls).containsExactly("withdraw from ada", "deposit to grace");
  }

  // tag::running[]
  @Test
  void what_was_running_at_the_crash_is_done_again_and_its_key_keeps_it_harmless(
      TestEngine engine) {
    var first = new AtomicBoolean(true);
    engine.replace(
        "Bank.deposit",
        call -> {
          call.proceed(); // the money is there,
          if (first.getAndSet(false)) engine.crash(); // but nobody wrote that down
          return null;
        });

    engine.start(Transfer.class, "transfer-1", AMOUNT).result();

    assertThat(ledger.calls)
        .containsExactly("withdraw from ada", "deposit to grace", "deposit to grace");
    assertThat(ledger.balances).isEqualTo(Map.of("ada", -500L, "grace", 500L));
  }

  // end::running[]

  /** A bank that books each key once, however often it is asked. */
  private static final class Ledger implements Bank {
    final Queue<String> calls = new ConcurrentLinkedQueue<>();
    final Map<String, Long> balances = new HashMap<>();

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
    }

    private synchronized void book(String account, long cents, String key) {
      if (booked.putIfAbsent(key, cents) == null) balances.merge(account, cents, Long::sum);
    }
  }
}
