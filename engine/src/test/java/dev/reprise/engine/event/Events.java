package dev.reprise.engine.event;

import dev.reprise.ErrorCode;
import dev.reprise.FailureInfo;
import dev.reprise.ParentClose;
import dev.reprise.RetryPolicy;
import dev.reprise.Status;
import dev.reprise.engine.event.Event.Call;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** One event of every type. */
final class Events {
  static final Instant DUE = Instant.parse("2030-05-06T07:08:09.123456Z");
  static final FailureInfo FAILURE =
      new FailureInfo(
          "com.acme.CardDeclined",
          "no \"credit\"\n",
          "code 51",
          "Payments.java:7",
          new FailureInfo("java.io.IOException", null, null, null, null));

  private Events() {}

  static Payload json(String text) {
    return Payload.of(text.getBytes(StandardCharsets.UTF_8));
  }

  static List<Event> all() {
    var call = new Call("Payments.charge:1", "Payments.charge", "1f");
    var named = new Call("my id", "Payments.charge", "");
    return List.of(
        new Event.WorkflowStarted("Checkout", "order-7", new UUID(1, 2), json("{\"a\":1}")),
        new Event.ActivityCompleted(call, 1, json("[1,2]")),
        new Event.ActivityCompleted(named, 3, Payload.none()),
        new Event.ActivityFailed(call, 5, FAILURE),
        new Event.ActivityRetryScheduled(named, 2, FAILURE, DUE),
        new Event.TimerScheduled("sleep:1", DUE),
        new Event.TimerFired("sleep:1"),
        new Event.TimerCancelled("sleep:2"),
        new Event.SignalReceived("approval", json("\"yes\""), null),
        new Event.WaitTimedOut("receive approval:1", DUE),
        new Event.PatchMarked("fraud-check"),
        new Event.WorkflowCompleted(json("42")),
        new Event.WorkflowFailed(FAILURE),
        new Event.SignalReceived("approval", json("\"yes\""), "m-1"),
        new Event.WorkflowCancelRequested("ops/7", "too late"),
        new Event.WorkflowCancelled("too late"),
        new Event.WorkflowStarted("Checkout", "order-8", new UUID(1, 3), json("1"), origin()),
        new Event.ActivityCancelled(call, 2),
        new Event.CompensationRegistered(
            call,
            json("{\"a\":1}7"),
            List.of(7, 1),
            RetryPolicy.defaults().jitter(0.5).maxDuration(Duration.ofHours(1)).notOn(Error.class),
            Duration.ofSeconds(3)),
        new Event.CompensationRegistered(named, json(""), List.of(), null, null),
        new Event.CompensationsStarted(Status.FAILED, "", "", FAILURE),
        new Event.CompensationsStarted(Status.TERMINATED, "ops/7", "wrong order", null),
        new Event.CompensationCompleted(call, 1),
        new Event.CompensationFailed(named, 5, FAILURE),
        new Event.ChildStarted(
            "child Ship:1",
            "Ship",
            "order-7/Ship:1",
            ParentClose.ABANDON,
            Duration.ofDays(2),
            json("3")),
        new Event.ChildCompleted("child Ship:1", json("4")),
        new Event.ChildFailed("child Ship:1", Status.TIMED_OUT, FAILURE),
        new Event.MessageSent("signal child Ship:1:1", "x", Event.Sent.SIGNAL, "go", json("5")),
        new Event.UpdateReceived("rename", "m-2", json("\"a\"")),
        new Event.UpdateCompleted("m-2", json("\"b\""), null),
        new Event.UpdateFailed("m-2", FAILURE, null),
        new Event.UpdateRefused("rename", "m-3", ErrorCode.R126, "not now"),
        new Event.ValuePublished("progress", json("6")),
        new Event.AttributeChanged("customer", "c-7"),
        new Event.AttributeChanged("cents", 700L),
        new Event.AttributeChanged("rate", 0.5),
        new Event.AttributeChanged("vip", true),
        new Event.AttributeChanged("customer", null),
        new Event.LoopSnapshot("loop:1", 2, json("{}")),
        new Event.TimeLimitReached(DUE),
        new Event.WorkflowResumed("ops/7", "c0de"),
        new Event.WorkflowResumed("ops/7", null),
        new Event.WorkflowTimedOut("over"),
        new Event.WorkflowTerminated("ops/7", "wrong order"),
        new Event.WorkflowContinuedAsNew(new UUID(1, 4)),
        new Event.ActivityScheduled(
            call,
            new Queueing(
                "gpu",
                3,
                "acme",
                RetryPolicy.none(),
                Duration.ofSeconds(1),
                Duration.ofSeconds(2),
                Duration.ofSeconds(3),
                Duration.ofSeconds(4),
                Duration.ofSeconds(5)),
            json("12"),
            List.of(1, 1),
            "java.lang.String",
            -7),
        new Event.ActivityScheduled(
            call,
            new Queueing("default", 0, "", null, null, null, null, null, null),
            Payload.none(),
            List.of(),
            "void",
            7),
        new Event.ActivityCancelRequested(call.id()),
        new Event.WorkflowTakenUp("c0de"));
  }

  private static Origin origin() {
    return new Origin(
        "c0de",
        Duration.ofDays(3),
        Map.of("customer", "c-7", "cents", 700L),
        new Origin.Parent("order-1", new UUID(5, 6), "child Ship:1"),
        new Origin.Lineage(
            Origin.How.LOOPED,
            new UUID(7, 8),
            List.of(new Origin.Seed(new UUID(7, 8), 3)),
            3,
            List.of(MessageKey.any("m-1")),
            2));
  }
}
