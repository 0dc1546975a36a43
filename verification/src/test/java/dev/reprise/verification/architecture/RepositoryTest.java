package dev.reprise.verification.architecture;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Whoever clones the repository has other folders, other mirrors, and runs every test. */
class RepositoryTest {
  private static final Pattern MACHINE_PATH =
      Pattern.compile("(?<![\\w.~}/-])/(work|root|home|Users)/");
  private static final Pattern REGISTRY_HOST =
      Pattern.compile(
          "\\b((repo1?|central|oss|s01)[.](maven|sonatype)[.]\\w+|repo[.]maven[.]apache[.]org"
              + "|registry[.](npmjs|yarnpkg)[.]\\w+|(registry-1|index)[.]docker[.]io"
              + "|plugins[.]gradle[.]org|\\w*(artifactory|nexus)\\w*[.][\\w.]+)",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern SKIPPED_TEST = Pattern.compile("@(Disabled|Ignore)\\w*");

  private static final Pattern PRODUCT = Pattern.compile("^(engine|store-jdbc)/src/main/");
  private static final Pattern RAW_EXCEPTION =
      Pattern.compile(
          "[.]setCause\\((?!.*Texts[.]shown\\()|LOG[.](trace|debug|info|warn|error)\\(.*\","
              + " (e|t|why|lost|gone|away|failure)\\);");

  private final Repository repository = Repository.here();

  @Test
  void no_file_names_a_path_of_one_machine() {
    assertThat(matches(repository.files(), MACHINE_PATH)).isEmpty();
  }

  @Test
  void no_file_names_the_host_of_a_registry() {
    assertThat(matches(repository.files(), REGISTRY_HOST)).isEmpty();
  }

  @Test
  void no_test_is_switched_off() {
    assertThat(matches(repository.javaSources(), SKIPPED_TEST)).isEmpty();
  }

  /** A message of an exception may have lines of its own, which look like lines of the log. */
  @Test
  void no_exception_is_logged_before_it_is_shown() {
    var product =
        repository.javaSources().stream()
            .filter(file -> PRODUCT.matcher(repository.name(file)).find())
            .toList();

    assertThat(matches(product, RAW_EXCEPTION)).isEmpty();
  }

  private List<String> matches(List<Path> files, Pattern pattern) {
    assertThat(files).isNotEmpty();
    return files.stream().flatMap(file -> matches(file, pattern)).toList();
  }

  private Stream<String> matches(Path file, Pattern pattern) {
    var lines = text(file).lines().toList();
    return IntStream.range(0, lines.size())
        .filter(line -> pattern.matcher(lines.get(line)).find())
        .mapToObj(line -> repository.name(file) + ":" + (line + 1) + " " + lines.get(line).strip());
  }

  /** Empty for a binary file. */
  private static String text(Path file) {
    try {
      var text = Files.readString(file, ISO_8859_1);
      return text.indexOf('\0') < 0 ? text : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
