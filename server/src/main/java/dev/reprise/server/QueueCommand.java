package dev.reprise.server;

import dev.reprise.QueueDescription;
import dev.reprise.Texts;
import dev.reprise.engine.store.QueueView;
import java.time.Instant;
import java.time.ZoneId;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code reprise queue}: how a queue is. */
@Command(
    name = "queue",
    description = "Shows how a queue is: what is on it, its limits, and its workers.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class)
final class QueueCommand implements Runnable {
  @Mixin private final Reading reading = new Reading();

  @Parameters(paramLabel = "NAME", description = "As 'reprise queues' shows it.")
  private String name = "";

  @Override
  public void run() {
    if (name.isBlank()) throw reading.wrong("The name of the queue is blank.");
    Texts.checked(name, "queue", Texts.MAX_NAME);
    QueueDescription queue;
    Instant now;
    try (var store = reading.open()) {
      now = store.clock().instant();
      queue = QueueView.of(store, name, now);
    }
    if (reading.json()) reading.out().println(QueueJson.queue(queue));
    else new QueueTable(now).print(queue, ZoneId.systemDefault(), reading.out());
  }
}
