package dev.reprise.verification.behaviour;

import static dev.reprise.verification.behaviour.World.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.ActivityContext;
import dev.reprise.ActivityOptions;
import dev.reprise.HistoryEvent;
import dev.reprise.RetryPolicy;
import dev.reprise.Workflow;
import dev.reprise.WorkflowFailed;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** References to methods of proxies: the calls that they make are those of the proxy. */
class ProxyReferenceTest {
  private static final ActivityOptions ON_QUEUE = ActivityOptions.onQueue("q");

  @RegisterExtension final World world = new World(StoreKind.MEMORY);

  interface Labels {
    String print(String text) throws IOException;

    void drop(String text) throws IOException;

    int attempt();
  }

  static final class Printer implements Labels {
    @Override
    public String print(String text) {
      return "printed " + text;
    }

    @Override
    public void drop(String text) throws IOException {
      throw new IOException("cannot drop " + text);
    }

    @Override
    public int attempt() {
      int attempt = ActivityContext.current().attempt();
      if (attempt == 1) throw new IllegalStateException("not yet");
      return attempt;
    }
  }

  private String play(Workflow<String, String> code) {
    var engine =
        world.open(
            r ->
                r.activities(new Printer())
                    .worker("q", 2)
                    .worker("other", 1)
                    .worker("default", 1)
                    .workflow("code", String.class, String.class, code));
    return (String) result(engine.start("code", "w", "a"));
  }

  /** How each activity was asked for. */
  private List<String> calls() {
    var events = world.engine().history("w");
    var queued =
        events.stream()
            .filter(event -> event.type().equals("ActivityScheduled"))
            .map(HistoryEvent::subject)
            .toList();
    return events.stream()
        .filter(event -> event.type().startsWith("Activity"))
        .filter(
            event -> event.type().equals("ActivityScheduled") || !queued.contains(event.subject()))
        .map(event -> event.subject() + queue(event))
        .toList();
  }

  private static String queue(HistoryEvent event) {
    var queue = Pattern.compile("\"queue\":\"(\\w+)\"").matcher(event.attributes());
    return queue.find() ? " on " + queue.group(1) : "";
  }

  @Test
  void a_reference_to_a_proxy_of_a_queue_goes_to_that_queue() {
    var text =
        play(
            (ctx, in) -> {
              var labels = ctx.activities(Labels.class, ON_QUEUE);
              return ctx.run(labels::print, in) + ", " + ctx.schedule(labels::print, in).await();
            });

    assertThat(text).isEqualTo("printed a, printed a");
    assertThat(calls()).containsExactly("Labels.print:1 on q", "Labels.print:2 on q");
  }

  @Test
  void a_reference_to_an_inline_proxy_is_a_step() {
    var text =
        play(
            (ctx, in) -> {
              var labels = ctx.activities(Labels.class);
              return ctx.run(labels::print, in);
            });

    assertThat(text).isEqualTo("printed a");
    assertThat(calls()).containsExactly("Labels.print:1");
  }

  @Test
  void what_the_call_says_comes_before_what_the_proxy_says() {
    play(
        (ctx, in) -> {
          var labels = ctx.activities(Labels.class, ON_QUEUE.id("mine"));
          ctx.with(ActivityOptions.onQueue("other")).run(labels::print, in);
          var inline = ctx.activities(Labels.class, ActivityOptions.defaults().id("yours"));
          return ctx.with(ON_QUEUE).run(inline::print, in)
              + ctx.schedule(ctx.activities(Labels.class)::print, in).await();
        });

    assertThat(calls()).containsExactly("mine on other", "yours on q", "Labels.print:1 on default");
  }

  @Test
  void retries_of_the_proxy_count() {
    assertThatThrownBy(
            () ->
                play(
                    (ctx, _) -> {
                      var options = ActivityOptions.defaults().retry(RetryPolicy.none());
                      var labels = ctx.activities(Labels.class, options);
                      return "attempt " + ctx.run(labels::attempt);
                    }))
        .isInstanceOf(WorkflowFailed.class)
        .hasMessageContaining("after 1 attempt:");
  }

  @Test
  void checked_exceptions_of_the_interface_need_no_catch_and_arrive_as_a_failure() {
    assertThatThrownBy(
            () ->
                play(
                    (ctx, in) -> {
                      var options = ActivityOptions.defaults().retry(RetryPolicy.none());
                      var labels = ctx.activities(Labels.class, options);
                      ctx.run(labels::drop, in);
                      return "dropped";
                    }))
        .isInstanceOf(WorkflowFailed.class)
        .hasMessageContaining("cannot drop a");
  }

  @Test
  void a_proxy_of_what_only_workers_have_names_the_way_out() {
    var handle =
        world.begin(
            (ctx, in) -> {
              ctx.activities(Labels.class);
              return in;
            });

    assertThatThrownBy(handle::result)
        .hasMessageContaining("R103")
        .hasMessageContaining("ctx.activities(Labels.class, ActivityOptions.onQueue(\"…\"))");
  }
}
