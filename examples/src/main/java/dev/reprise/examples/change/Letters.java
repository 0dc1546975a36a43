package dev.reprise.examples.change;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Puts letters into a folder, from where somebody posts them.
 *
 * @param folder need not exist before the first letter
 */
public record Letters(Path folder) implements Billing {

  @Override
  public void announce(String customer) {
    write(customer + "-price.txt", "Next month costs 10.");
  }

  @Override
  public void charge(String customer) {
    write(customer + "-bill.txt", "Please pay 10.");
  }

  private void write(String name, String text) {
    try {
      Files.writeString(Files.createDirectories(folder).resolve(name), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
