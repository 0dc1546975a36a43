package dev.reprise.verification.simulation;

import dev.reprise.engine.event.Event;
import dev.reprise.verification.simulation.Call.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Whether requests were done once, and answered as it is recorded. */
final class RequestJudge {
  private final List<Event> events;
  private final List<String> problems = new ArrayList<>();

  private RequestJudge(Chain chain) {
    this.events = chain.links().stream().flatMap(link -> link.own().stream()).toList();
  }

  /** What is wrong. */
  static List<String> problems(Chain chain, List<Call> about) {
    var judge = new RequestJudge(chain);
    about.stream().filter(call -> call.kind() == Kind.UPDATE).forEach(judge::judge);
    return judge.problems;
  }

  private void judge(Call call) {
    var message = call.argument();
    int received =
        count(event -> event instanceof Event.UpdateReceived u && u.message().equals(message));
    var results =
        events.stream()
            .filter(Event.UpdateCompleted.class::isInstance)
            .filter(event -> event.subject().equals(message))
            .map(event -> Chain.plain(String.valueOf(event.payload())))
            .toList();
    int failed =
        count(event -> event instanceof Event.UpdateFailed u && u.message().equals(message));
    if (received > 1 || results.size() + failed > 1) found(call, "was done twice");
    if (received > 0 && message.startsWith(Scene.BAD)) found(call, "was done");
    var right =
        switch (call.answer()) {
          case DONE -> call.value().equals("failed") ? failed == 1 : results.contains(call.value());
          case REFUSED -> received == 0;
          case CLOSED -> results.isEmpty() && failed == 0;
          case ABSENT, UNKNOWN -> true;
          case IN_USE -> false;
        };
    if (!right) found(call, "recorded are %s".formatted(results));
  }

  private int count(Predicate<Event> wanted) {
    return (int) events.stream().filter(wanted).count();
  }

  private void found(Call call, String what) {
    problems.add("was asked, and a caller was told: %s; %s".formatted(call, what));
  }
}
