package dev.reprise.engine.event;

import dev.reprise.FailureInfo;
import dev.reprise.engine.event.Event.Call;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
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
        new Event.WorkflowCancelled("too late"));
  }
}
