package dev.reprise.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.Context;
import dev.reprise.TypeRef;
import dev.reprise.Workflow;
import dev.reprise.engine.Reprise;
import dev.reprise.engine.archive.HistoryJson;
import dev.reprise.engine.codec.Codec;
import dev.reprise.engine.replay.Verdict;
import java.io.IOException;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a replay is given: workflows, files, a codec. */
class ReplayCheckSetupTest {
  private static final Type TEXTS = new TypeRef<List<String>>() {}.type();

  interface Mail {
    String send(String to);
  }

  /** A workflow with a name of its own, which calls an activity through a proxy. */
  static final class Welcome implements Workflow<String, String> {
    @Override
    public String run(Context ctx, String name) {
      return ctx.activities(Mail.class).send(name);
    }
  }

  private static String welcome() {
    Mail mail = to -> "sent to " + to;
    try (var engine = Reprise.inMemory().workflow(new Welcome()).activities(mail).start()) {
      var run = engine.start(Welcome.class, "ada", "Ada");
      run.result();
      return ReplayCheck.download(run);
    }
  }

  @Test
  void a_class_is_enough_and_activities_need_not_be_there() {
    ReplayCheck.replay(welcome(), new Welcome());

    assertThat(ReplayCheck.check(welcome(), new Welcome())).isInstanceOf(Verdict.Follows.class);
  }

  @Test
  void a_history_may_be_in_a_file(@TempDir Path folder) throws IOException {
    var file = Files.writeString(folder.resolve("ada.json"), welcome());

    ReplayCheck.replay(file, new Welcome());

    assertThat(ReplayCheck.check(file, new Welcome())).isInstanceOf(Verdict.Follows.class);
  }

  @Test
  void a_file_that_is_none_is_named(@TempDir Path folder) throws IOException {
    var file = Files.writeString(folder.resolve("ada.json"), "[]");

    assertThatThrownBy(() -> ReplayCheck.replay(file, new Welcome()))
        .hasMessageContainingAll("ada.json is not a readable history", "format");
  }

  @Test
  void of_several_workflows_the_one_of_the_history_is_played() {
    Workflow<List<String>, List<String>> reversed = (_, texts) -> texts.reversed();
    String history;
    var reprise = Reprise.inMemory().workflow("Reversed", TEXTS, TEXTS, reversed);
    try (var engine = reprise.start()) {
      var run = engine.start("Reversed", "r", List.of("a", "b"));
      run.result();
      history = ReplayCheck.download(run);
    }
    var check =
        new ReplayCheck().workflow(new Welcome()).workflow("Reversed", TEXTS, TEXTS, reversed);

    check.replay(history);
    check.replay(welcome());
  }

  @Test
  void the_history_of_another_workflow_is_an_error_that_names_both() {
    assertThatThrownBy(
            () ->
                new ReplayCheck()
                    .workflow("Farewell", String.class, String.class, (_, name) -> name)
                    .replay(welcome()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("'ada'", "'Welcome'", "[Farewell]");
  }

  @Test
  void a_name_is_for_one_workflow() {
    var check = new ReplayCheck().workflow(new Welcome());

    assertThatThrownBy(() -> check.workflow(new Welcome())).hasMessageContaining("'Welcome'");
  }

  @Test
  void values_are_read_by_the_codec_that_wrote_them() {
    Workflow<String, String> code =
        (ctx, name) -> ctx.run("greet", String.class, () -> "hello " + name);
    String history;
    var reprise =
        Reprise.inMemory().codec(new Angles()).workflow("Greet", String.class, String.class, code);
    try (var engine = reprise.start()) {
      var run = engine.start("Greet", "g", "Ada");
      run.result();
      history = ReplayCheck.download(run);
    }
    var check = new ReplayCheck().workflow("Greet", String.class, String.class, code);

    assertThat(history).contains("\"valueText\" : \"<hello Ada>\"");
    assertThat(check.check(history)).isInstanceOf(Verdict.Departs.class);
    check.codec(new Angles()).replay(history);
  }

  /** Writes text between angle brackets, which is no JSON. */
  private static final class Angles implements Codec {
    @Override
    public byte[] encode(Object value, Type type) {
      return ("<" + value + ">").getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Object decode(byte[] bytes, Type type) {
      var text = new String(bytes, StandardCharsets.UTF_8);
      if (!text.startsWith("<")) throw new IllegalArgumentException("no angle: " + text);
      return text.substring(1, text.length() - 1);
    }
  }

  @Test
  void what_a_client_shows_is_downloaded_as_the_store_has_it() {
    var history = HistoryJson.read(welcome());

    assertThat(history.events()).hasSize(3);
    assertThat(history.run().workflowId()).isEqualTo("ada");
    assertThat(history.events().get(1).recorded().event().payload()).hasToString("\"sent to Ada\"");
  }
}
