package dev.reprise.verification.docs;

import dev.reprise.verification.architecture.Repository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A Markdown file.
 *
 * <p>Code is included by a comment in front of a fenced block: {@code <!-- code: path -->} for a
 * whole file, {@code <!-- code: path#region -->} for the lines between {@code // tag::region[]} and
 * {@code // end::region[]}.
 */
record Page(Path file, String text) {
  private static final Pattern INCLUDE =
      Pattern.compile(
          "^(<!-- code: (\\S+?)(?:#(\\S+))? -->\\n```(\\w+)\\n)(.*?)^```$",
          Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern BLOCK =
      Pattern.compile("^ *```.*?^ *```$", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern JAVA = Pattern.compile("^ *```java$", Pattern.MULTILINE);
  private static final Pattern LINK = Pattern.compile("\\[[^\\]]*]\\(([^)\\s]+)\\)");
  private static final Pattern VERSION =
      Pattern.compile("<artifactId>reprise-\\w+</artifactId>\\s*(<version>.*</version>)");
  private static final Pattern ROW = Pattern.compile("^\\| `(\\w+)` \\|", Pattern.MULTILINE);
  private static final Pattern HEADING = Pattern.compile("^#+ (.+)$", Pattern.MULTILINE);

  static List<Page> all(Repository repository) {
    return repository.files().stream()
        .filter(file -> file.toString().endsWith(".md"))
        .map(Page::read)
        .toList();
  }

  static Page read(Path file) {
    try {
      return new Page(file, Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The text with all included code as the sources have it now. */
  String upToDate(Repository repository) {
    return INCLUDE
        .matcher(text)
        .replaceAll(
            include ->
                Matcher.quoteReplacement(include.group(1) + code(repository, include) + "```"));
  }

  private String code(Repository repository, MatchResult include) {
    try {
      var source = Files.readAllLines(repository.root().resolve(include.group(2)));
      return Region.of(source, include.group(3));
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalStateException(
          "%s cannot include %s: %s".formatted(file, include.group(2), e.getMessage()), e);
    }
  }

  /** How many blocks of Java are written by hand. */
  long javaWithoutSource() {
    long included =
        INCLUDE.matcher(text).results().filter(each -> each.group(4).equals("java")).count();
    return JAVA.matcher(text).results().count() - included;
  }

  /** Where it links to, inside of the repository. */
  Stream<String> links() {
    return LINK.matcher(prose())
        .results()
        .map(link -> link.group(1))
        .filter(target -> !target.contains(":"));
  }

  /** The versions of our own artifacts that it names, as elements of a POM. */
  Stream<String> versions() {
    return VERSION.matcher(text).results().map(version -> version.group(1));
  }

  /** The names of its headings in links, as GitHub makes them. */
  List<String> anchors() {
    return HEADING
        .matcher(prose())
        .results()
        .map(heading -> heading.group(1).toLowerCase(Locale.ROOT))
        .map(heading -> heading.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
        .toList();
  }

  /** What stands under the heading of that text, down to the next heading of its level. */
  String section(String heading) {
    var prose = "\n" + text + "\n## ";
    int start = prose.indexOf("\n## " + heading + "\n");
    if (start < 0) throw new AssertionError("%s has no section '%s'".formatted(file, heading));
    return prose.substring(start, prose.indexOf("\n## ", start + 1));
  }

  /** The names in the first column of the table in a section. */
  List<String> rows(String heading) {
    return ROW.matcher(section(heading)).results().map(row -> row.group(1)).toList();
  }

  /** Headings of the second level. */
  List<String> sections() {
    return prose().lines().filter(line -> line.startsWith("## ")).map(l -> l.substring(3)).toList();
  }

  private String prose() {
    return BLOCK.matcher(text).replaceAll("");
  }

  /** Names it in the report of a test. */
  @Override
  public String toString() {
    return file.toString();
  }
}
