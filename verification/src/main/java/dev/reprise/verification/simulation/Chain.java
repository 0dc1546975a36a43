package dev.reprise.verification.simulation;

import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Origin;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.RunRow;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All runs of a workflow id, the first one first: each goes on from the one before. */
record Chain(String workflowId, List<Link> links) {

  /** A run of it. */
  record Link(RunRow row, List<EventRow> history, List<Event> events) {
    static Link of(RunRow row, List<EventRow> history) {
      return new Link(
          row, history, history.stream().map(event -> event.recorded().event()).toList());
    }

    Event.WorkflowStarted started() {
      return (Event.WorkflowStarted) events.getFirst();
    }

    Origin.@Nullable Lineage lineage() {
      return started().origin().lineage();
    }

    /** Whether it begins with a part of another workflow's run. */
    boolean isFork() {
      var lineage = lineage();
      return lineage != null && lineage.how() == Origin.How.FORKED;
    }

    /** Events that were not copied from another run. */
    List<Event> own() {
      var lineage = lineage();
      return lineage == null ? events : events.subList(lineage.copied(), events.size());
    }

    boolean has(Class<? extends Event> type) {
      return events.stream().anyMatch(type::isInstance);
    }

    /** Values of signals among these events. */
    static List<String> notes(List<Event> events) {
      return events.stream()
          .filter(Event.SignalReceived.class::isInstance)
          .map(event -> plain(String.valueOf(event.payload())))
          .toList();
    }
  }

  static String plain(String json) {
    return json.replace("\"", "");
  }

  Link first() {
    return links.getFirst();
  }

  Link last() {
    return links.getLast();
  }

  Stream<Event> events() {
    return links.stream().flatMap(link -> link.events().stream());
  }

  boolean has(Class<? extends Event> type) {
    return events().anyMatch(type::isInstance);
  }
}
