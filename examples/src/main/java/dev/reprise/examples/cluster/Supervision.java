package dev.reprise.examples.cluster;

import dev.reprise.Client;
import dev.reprise.ListQuery;
import dev.reprise.NodeDescription;
import dev.reprise.NodeDescription.State;
import dev.reprise.RunDescription;
import dev.reprise.Status;
import java.util.List;

/** What somebody needs who looks after the engines of a database. */
public final class Supervision {
  private Supervision() {}

  // tag::blocked[]
  /** Runs that wait for a human; {@code blockedBy} says why, with the error code in front. */
  static List<RunDescription> blocked(Client client) {
    return client.list(ListQuery.all().with(Status.BLOCKED).limit(1_000));
  }

  // end::blocked[]

  // tag::resume[]
  /** After what was wrong is mended: those of one workflow try again. */
  static void resumeAll(Client client, String workflow) {
    for (var run : client.list(ListQuery.all().with(Status.BLOCKED).of(workflow).limit(1_000))) {
      client.resume(run.workflowId());
    }
  }

  // end::resume[]

  // tag::nodes[]
  /** The engines that do their work now. */
  static List<NodeDescription> engines(Client client) {
    return client.nodes().stream()
        .filter(node -> node.state() == State.ALIVE && !node.client())
        .toList();
  }
  // end::nodes[]
}
