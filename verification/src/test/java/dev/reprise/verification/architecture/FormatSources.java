package dev.reprise.verification.architecture;

import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Rewrites every Java source of the repository the way google-java-format lays it out. {@code
 * ./reprise format} starts it from its source, so it works on code that does not compile.
 */
final class FormatSources {
  private static final Formatter FORMATTER = new Formatter();

  private FormatSources() {}

  public static void main(String[] args) throws IOException {
    var repository = new Repository(Path.of(args[0]).toAbsolutePath().normalize());
    var changed = 0;
    var broken = 0;
    for (var file : repository.javaSources()) {
      try {
        var before = Files.readString(file);
        var after = format(before);
        if (after.equals(before)) continue;
        Files.writeString(file, after);
        changed++;
        System.out.println("formatted " + repository.name(file));
      } catch (FormatterException e) {
        broken++;
        System.err.println("cannot parse " + repository.name(file) + ": " + e.getMessage());
      }
    }
    System.out.println(changed == 0 ? "nothing to change" : "files changed: " + changed);
    if (broken > 0) System.exit(1);
  }

  static String format(String source) throws FormatterException {
    return FORMATTER.formatSourceAndFixImports(source);
  }
}
