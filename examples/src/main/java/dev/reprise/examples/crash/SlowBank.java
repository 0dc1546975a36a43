package dev.reprise.examples.crash;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/**
 * A bank that keeps its movements in a text file and takes its time, so that there is time to kill
 * the process. A key that is in the file is not booked again.
 */
// tag::bank[]
record SlowBank(Path file, Duration pause) implements Bank {

  @Override
  public void withdraw(String account, long cents, String key) {
    move(account, -cents, key);
  }

  @Override
  public void deposit(String account, long cents, String key) {
    move(account, cents, key);
  }

  private void move(String account, long cents, String key) {
    try {
      System.out.println(key + " begins");
      Thread.sleep(pause);
      System.out.println(key + (book(account, cents, key) ? " is booked" : " was booked before"));
      Thread.sleep(pause);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(key + " was interrupted", e);
    }
  }

  private synchronized boolean book(String account, long cents, String key) throws IOException {
    var known = Files.exists(file) ? Files.readString(file) : "";
    if (known.contains(key + " ")) return false;
    var line = "%s %s %+d%n".formatted(key, account, cents);
    Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    return true;
  }
}
// end::bank[]
