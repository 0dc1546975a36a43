package dev.reprise.testkit.contract;

import static dev.reprise.testkit.contract.Rows.NOON;
import static dev.reprise.testkit.contract.Rows.bytes;

import dev.reprise.Status;
import dev.reprise.engine.event.EventType;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Transition.RunChange;
import dev.reprise.engine.store.Transition.Start;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Runs that differ in everything that a filter can look at. */
public record FilteredRuns(TestNode node) {

  /**
   * A run of them. Each is started an hour after the one before.
   *
   * @param number of which its workflow id ends
   * @param attributes JSON, or null
   * @param input what a codec wrote, or null
   */
  public record Given(
      int number,
      String workflow,
      @Nullable String parent,
      @Nullable String attributes,
      byte @Nullable [] input) {}

  /** Starts one, and gives its key. */
  public long start(Given given) {
    var row =
        new RunRow(
            node.run("unused").key(),
            new UUID(0xABCDEF, given.number),
            "order-" + given.number,
            given.workflow,
            Status.RUNNING,
            node.id(),
            NOON,
            NOON.plus(Duration.ofHours(given.number)),
            null,
            null,
            0,
            given.parent,
            given.attributes);
    node.store(
        new Start(
            row,
            new EventRow(
                1,
                NOON,
                EventType.WORKFLOW_STARTED.code(),
                null,
                bytes("{\"workflow\":\"%s\"}".formatted(given.workflow)),
                given.input)));
    return row.key();
  }

  /** Brings a run that has just been started to this status; closed ones take a minute. */
  public void bring(long key, Status status) {
    switch (status) {
      case RUNNING -> {}
      case BLOCKED -> node.change(key, new RunChange.Block("R101 another path\nthan its history"));
      case COMPENSATING -> node.change(key, new RunChange.Compensate(NOON));
      case COMPENSATION_FAILED -> {
        node.change(key, new RunChange.Compensate(NOON));
        node.change(key, new RunChange.Block("R132 Payments.refund"));
      }
      case COMPLETED, FAILED, CANCELLED, TIMED_OUT, TERMINATED, CONTINUED ->
          node.change(key, new RunChange.Close(status, NOON.plus(Duration.ofDays(1))));
    }
  }

  /** One run of each status but the last, and with all kinds of attributes and inputs. */
  void startAll() {
    add(
        Status.RUNNING,
        new Given(
            1,
            "Checkout",
            null,
            """
            {"amount":7,"customer":"c-7","paid":true}\
            """,
            bytes(
                """
                {"order":{"id":7,"items":[{"sku":"a"},{"sku":"b"}]}}\
                """)));
    add(
        Status.COMPLETED,
        new Given(
            2,
            "Checkout",
            null,
            """
            {"amount":7.5,"customer":"C-7","paid":false}\
            """,
            bytes(
                """
                {"order":{"id":"7"}}\
                """)));
    add(Status.FAILED, new Given(3, "Checkout", null, null, new byte[] {-1, -2, 0, 7}));
    add(Status.BLOCKED, new Given(4, "Shipping", "order-1", null, bytes("null")));
    add(Status.COMPENSATING, new Given(5, "Shipping", "order_1", "{}", bytes("\"text\"")));
    add(
        Status.COMPENSATION_FAILED,
        new Given(
            6,
            "Shipping",
            "order-1",
            """
            {"amount":-1,"customer":"o'neil'; DROP TABLE runs; --"}\
            """,
            bytes("[1,[2,3]]")));
    add(
        Status.CANCELLED,
        new Given(
            7,
            "Checkout",
            null,
            """
            {"amount":9007199254740993,"customer":"100%","paid":"true"}\
            """,
            bytes(
                """
                {"a":{"0":"zero"},"odd key":true,"n":null,"order":"{\\"id\\":7}"}\
                """)));
    add(
        Status.TIMED_OUT,
        new Given(
            8,
            "Übermut",
            null,
            """
            {"amount":7.0,"customer":"\uD83D\uDE00"}\
            """,
            bytes(
                """
                {"order":{"id":7.0}}\
                """)));
    add(
        Status.TERMINATED,
        new Given(
            9,
            "Checkout",
            null,
            """
            {"amount":100000,"customer":"","paid":"True"}\
            """,
            null));
  }

  private void add(Status status, Given given) {
    bring(start(given), status);
  }
}
