package dev.reprise.verification.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.guard.Kind;
import dev.reprise.verification.architecture.Repository;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GuardDocsTest {
  private final Page page =
      Page.read(Repository.here().root().resolve("docs/how-to/keep-a-workflow-deterministic.md"));

  @ParameterizedTest
  @EnumSource
  void every_kind_of_finding_is_described_in_its_own_words(Kind kind) {
    assertThat(page.section("What is found"))
        .containsPattern("\\| `%s` \\|.*\\| %s \\|".formatted(kind, kind.why()));
  }
}
