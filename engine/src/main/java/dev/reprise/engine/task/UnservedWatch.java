package dev.reprise.engine.task;

import dev.reprise.Texts;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Unserved;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says in the log what nobody can run: once for each cause, and then rarely. */
final class UnservedWatch {
  private static final Logger LOG = LoggerFactory.getLogger(UnservedWatch.class);
  private static final Duration PATIENCE = Duration.ofMinutes(1); // a deploy takes a while
  private static final Duration SILENCE = Duration.ofMinutes(10); // before it is said again

  private final Store store;
  private final Map<String, Instant> said = new HashMap<>();

  UnservedWatch(Store store) {
    this.store = store;
  }

  void look(Instant now) {
    var unserved = Unserved.find(store, now.minus(PATIENCE), now);
    said.keySet().retainAll(unserved.stream().map(Unserved::key).collect(Collectors.toSet()));
    for (var each : unserved) {
      var last = said.get(each.key());
      if (last != null && last.plus(SILENCE).isAfter(now)) continue;
      said.put(each.key(), now);
      LOG.atWarn()
          .addKeyValue("queue", Texts.shown(each.queue()))
          .addKeyValue("name", Texts.shown(each.name()))
          .log("{}", each.text());
    }
  }
}
