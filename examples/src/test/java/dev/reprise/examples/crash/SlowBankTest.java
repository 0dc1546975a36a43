package dev.reprise.examples.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.engine.Reprise;
import dev.reprise.examples.crash.Transfer.Amount;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlowBankTest {
  @TempDir private Path folder;
  private Path file;
  private Bank bank;

  @BeforeEach
  void open() {
    file = folder.resolve("bank.txt");
    bank = new SlowBank(file, Duration.ZERO);
  }

  @Test
  void a_transfer_is_two_lines_in_the_books() {
    try (var engine = Reprise.inMemory().workflow(new Transfer(bank)).start()) {
      engine.start(Transfer.class, "t", new Amount("ada", "grace", 500)).result();
    }

    assertThat(file).content().hasLineCount(2).contains("t/out ada -500", "t/in grace +500");
  }

  @Test
  void a_key_is_booked_once() {
    bank.deposit("grace", 500, "t/in");
    bank.deposit("grace", 500, "t/in");

    assertThat(file).content().hasLineCount(1);
  }
}
