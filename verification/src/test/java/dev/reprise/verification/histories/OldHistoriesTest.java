package dev.reprise.verification.histories;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.reprise.testkit.ReplayCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What any version of the engine recorded is followed by the engine of today. */
class OldHistoriesTest {

  private static ReplayCheck check() {
    var check = new ReplayCheck();
    for (var scenario : Scenarios.with(Desk.inOrder())) {
      check.workflow(scenario.name(), String.class, String.class, scenario.code());
    }
    return check;
  }

  @TestFactory
  List<DynamicTest> every_history_is_followed() throws IOException {
    var check = check();
    var tests = new ArrayList<DynamicTest>();
    for (var version : Kept.versions()) {
      for (var file : version.histories()) {
        var name = version.path().getFileName() + " " + file.getFileName();
        tests.add(dynamicTest(name, file.toUri(), () -> check.replay(file)));
      }
    }
    assertThat(tests).hasSizeGreaterThanOrEqualTo(71); // of the first three versions
    return tests;
  }

  /** A replay that found nothing wrong in anything would find nothing wrong here. */
  @Test
  void a_history_with_another_result_is_not_followed() throws IOException {
    var file = Kept.versions().getFirst().path().resolve("conditions.json");
    var json = Files.readString(file).replace("\"all 3true\"", "\"all 4true\"");

    assertThat(check().check(json).toString()).contains("R101", "all 4true");
  }

  @Test
  void nothing_that_was_kept_is_changed_or_missing_and_nothing_is_beside_it() throws IOException {
    assertThat(Checksums.actual(Kept.root())).isEqualTo(Checksums.listed(Kept.root()));
  }

  @Test
  void the_first_versions_are_there() throws IOException {
    assertThat(Kept.versions())
        .extracting(version -> version.path().getFileName().toString())
        .contains("0.1.0-preview.1", "0.1.0-preview.2", "0.1.0-preview.3");
  }

  @Test
  void the_histories_of_a_version_have_all_types_of_events_that_it_had() throws IOException {
    for (var version : Kept.versions()) {
      assertThat(version.types()).as("%s", version.path().getFileName()).hasSizeGreaterThan(11);
      assertThat(version.covered()).isEqualTo(version.types());
    }
  }
}
