package dev.reprise.examples.limits;

import static dev.reprise.testkit.RepriseAssertions.assertThat;

import dev.reprise.QueueLimits;
import dev.reprise.examples.limits.Campaign.Order;
import dev.reprise.testkit.RepriseTest;
import dev.reprise.testkit.TestEngine;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@RepriseTest
class MailLimitsTest {
  private final List<String> sent = new CopyOnWriteArrayList<>();

  @BeforeEach
  void register(TestEngine engine) {
    Campaign.Mail mail = sent::add;
    engine.workflow(new Campaign()).activities(mail);
  }

  private static Order order(String customer, int readers) {
    var names = IntStream.range(0, readers).mapToObj(reader -> customer + " " + reader).toList();
    return new Order(customer, names);
  }

  @Test
  void limits_are_what_was_set_last(TestEngine engine) {
    var limits = new MailLimits(engine);
    limits.asUsual();
    limits.slowly();

    assertThat(engine.queue("mail").limits())
        .isEqualTo(QueueLimits.none().rate(5, Duration.ofSeconds(1)).concurrency(20).perKey(5));
  }

  // tag::rate[]
  @Test
  void no_more_mails_begin_than_the_rate_allows(TestEngine engine) {
    engine.worker("mail", 100);
    engine.limit("mail", QueueLimits.none().rate(5, Duration.ofSeconds(1)));
    var begin = engine.now();

    assertThat(engine.start(Campaign.class, "c", order("ada", 25))).completedWith(25);

    assertThat(Duration.between(begin, engine.now())).isBetween(ofSeconds(4), ofSeconds(5));
  }

  // end::rate[]

  private static Duration ofSeconds(int seconds) {
    return Duration.ofSeconds(seconds);
  }

  // tag::fair[]
  @Test
  void a_small_customer_does_not_wait_for_a_large_one(TestEngine engine) {
    engine.worker("mail", 1);
    var limits = new MailLimits(engine);
    limits.pause();
    engine.start(Campaign.class, "large", order("large", 50));
    engine.start(Campaign.class, "small", order("small", 5));
    engine.awaitQuiet();

    limits.fairly();
    engine.awaitQuiet();

    assertThat(sent).hasSize(55);
    assertThat(sent.subList(0, 11)).filteredOn(mail -> mail.startsWith("small")).hasSize(5);
  }

  // end::fair[]

  @Test
  void a_paused_queue_waits(TestEngine engine) {
    engine.worker("mail", 10);
    var limits = new MailLimits(engine);
    limits.pause();
    var campaign = engine.start(Campaign.class, "c", order("ada", 3));
    engine.awaitQuiet();

    assertThat(sent).isEmpty();
    assertThat(limits.isInTrouble()).isFalse();
    limits.asUsual();
    assertThat(campaign).completedWith(3);
  }

  @Test
  void somebody_is_woken_up_if_nobody_serves_the_queue(TestEngine engine) {
    engine.start(Campaign.class, "c", order("ada", 3));
    engine.awaitQuiet();

    assertThat(new MailLimits(engine).isInTrouble()).isTrue();
  }
}
