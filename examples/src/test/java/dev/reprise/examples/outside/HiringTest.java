package dev.reprise.examples.outside;

import static dev.reprise.testkit.RepriseAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.testkit.RepriseTest;
import dev.reprise.testkit.TestEngine;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@RepriseTest
class HiringTest {
  private static final Signature BY_ADA = new Signature("Ada", "contract-7.pdf");

  private final List<String> mails = new CopyOnWriteArrayList<>();

  @BeforeEach
  void register(TestEngine engine) {
    engine
        .workflow(new Hiring())
        .activities(new SigningService((email, text) -> mails.add(text)))
        .worker("signing", 1);
  }

  private String token() {
    var mail = mails.getLast();
    return mail.substring(mail.indexOf("task=") + "task=".length());
  }

  // tag::test[]
  @Test
  void who_signs_after_three_days_is_hired(TestEngine engine) {
    var desk = new SigningDesk(engine);
    var hiring = engine.start(Hiring.class, "ada", "ada@example.org");
    engine.awaitQuiet();
    engine.crash(); // nobody has to remember anything
    engine.advance(Duration.ofDays(3));

    assertThat(desk.signed(token(), BY_ADA)).isEqualTo("thank you");

    assertThat(hiring).completedWith("hired, see contract-7.pdf");
    assertThat(desk.signed(token(), BY_ADA)).isEqualTo("thank you, we know already");
  }

  // end::test[]

  @Test
  void who_declines_is_not_hired(TestEngine engine) {
    var hiring = engine.start(Hiring.class, "ada", "ada@example.org");
    engine.awaitQuiet();

    new SigningDesk(engine).declined(token(), "too far");
    new SigningDesk(engine).declined(token(), "too far"); // a second click

    assertThat(hiring).completedWith("not hired: declined: too far");
  }

  @Test
  void who_signs_too_late_is_told_so(TestEngine engine) {
    var desk = new SigningDesk(engine);
    var hiring = engine.start(Hiring.class, "ada", "ada@example.org");
    engine.awaitQuiet();
    engine.advance(Duration.ofDays(14));

    assertThat(hiring.result()).startsWith("not hired: it did not end within PT336H");
    assertThat(desk.signed("task-x", BY_ADA)).isEqualTo("this link is not valid");
    assertThat(desk.signed(token(), BY_ADA)).isEqualTo("this link has expired");
  }

  @Test
  void a_result_of_another_type_is_refused_and_the_activity_waits_on(TestEngine engine) {
    var hiring = engine.start(Hiring.class, "ada", "ada@example.org");
    engine.awaitQuiet();

    assertThatThrownBy(() -> engine.complete(token(), List.of(1))).hasMessageContaining("R136");
    engine.complete(token(), BY_ADA);

    assertThat(hiring).completedWith("hired, see contract-7.pdf");
  }
}
