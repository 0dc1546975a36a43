package dev.reprise.server;

import dev.reprise.QueueDescription;
import dev.reprise.engine.store.QueueView;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code reprise queues}: which queues there are. */
@Command(
    name = "queues",
    description = "Lists queues: how much is on each, what is allowed, and who serves it.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class)
final class QueuesCommand implements Runnable {
  @Mixin private final Reading reading = new Reading();

  @Override
  public void run() {
    List<QueueDescription> queues;
    Instant now;
    try (var store = reading.open()) {
      now = store.clock().instant();
      queues = QueueView.of(store, now);
    }
    if (reading.json()) reading.out().println(QueueJson.queues(queues));
    else if (queues.isEmpty()) reading.out().println("There is nothing on queues now.");
    else new QueueTable(now).print(queues, reading.out());
  }
}
