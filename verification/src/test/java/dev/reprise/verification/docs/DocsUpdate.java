package dev.reprise.verification.docs;

import dev.reprise.verification.architecture.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Brings the code in the documentation up to date with the sources that it is included from. {@code
 * ./reprise docs} starts it from its source.
 */
final class DocsUpdate {
  private DocsUpdate() {}

  public static void main(String[] args) throws IOException {
    var repository = new Repository(Path.of(args[0]).toAbsolutePath().normalize());
    int changed = 0;
    for (var page : Page.all(repository)) {
      var text = page.upToDate(repository);
      if (text.equals(page.text())) continue;
      Files.writeString(page.file(), text);
      changed++;
      System.out.println("updated " + repository.name(page.file()));
    }
    System.out.println(changed == 0 ? "nothing to change" : "files changed: " + changed);
  }
}
