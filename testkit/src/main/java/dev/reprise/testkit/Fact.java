package dev.reprise.testkit;

import dev.reprise.HistoryEvent;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.EventJson;
import dev.reprise.engine.event.EventType;
import dev.reprise.engine.event.Payload;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/** An event of a history, as clients see it and as the engine means it. */
record Fact(HistoryEvent shown, Event event) {

  static List<Fact> of(List<HistoryEvent> history) {
    return history.stream().map(Fact::of).toList();
  }

  static Fact of(HistoryEvent shown) {
    var type =
        Stream.of(EventType.values())
            .filter(known -> known.label().equals(shown.type()))
            .findFirst()
            .orElseThrow();
    var value = shown.value();
    var payload = value == null ? null : Payload.of(value.getBytes(StandardCharsets.UTF_8));
    var attributes = shown.attributes().getBytes(StandardCharsets.UTF_8);
    return new Fact(shown, EventJson.read(type, attributes, payload));
  }
}
