package dev.reprise.verification.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.googlejavaformat.java.FormatterException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class FormatTest {
  private final Repository repository = Repository.here();

  @Test
  void every_source_is_laid_out_by_google_java_format() {
    var sources = repository.javaSources();

    var unformatted =
        sources.parallelStream().filter(this::isUnformatted).map(repository::name).toList();

    assertThat(sources).hasSizeGreaterThan(1);
    assertThat(unformatted).as("badly formatted files: run ./reprise format").isEmpty();
  }

  private boolean isUnformatted(Path file) {
    try {
      var source = Files.readString(file);
      return !FormatSources.format(source).equals(source);
    } catch (IOException | FormatterException e) {
      throw new IllegalStateException("cannot check " + repository.name(file), e);
    }
  }
}
