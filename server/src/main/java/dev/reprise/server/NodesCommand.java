package dev.reprise.server;

import dev.reprise.NodeDescription;
import dev.reprise.engine.store.NodeView;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code reprise nodes}: which engines there are. */
@Command(
    name = "nodes",
    description = "Lists the engines and clients of a database, and how many runs each has.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class)
final class NodesCommand implements Runnable {
  @Mixin private final Reading reading = new Reading();

  @Override
  public void run() {
    List<NodeDescription> nodes;
    Instant now;
    try (var store = reading.open()) {
      nodes = NodeView.of(store);
      now = store.clock().instant();
    }
    if (reading.json()) reading.out().println(Json.nodes(nodes));
    else if (nodes.isEmpty()) reading.out().println("There are no engines now.");
    else new NodeTable(nodes, now, ZoneId.systemDefault()).print(reading.out());
  }
}
