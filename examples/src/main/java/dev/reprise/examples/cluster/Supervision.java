package dev.reprise.examples.cluster;

import dev.reprise.Client;
import dev.reprise.ListQuery;
import dev.reprise.NodeDescription;
import dev.reprise.NodeDescription.State;
import dev.reprise.RunDescription;
import dev.reprise.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

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
  static int resumeAll(Client client, String workflow) {
    return client.resumeHeld("workflow = " + ListQuery.quoted(workflow));
  }

  // end::resume[]

  // tag::find[]
  /** Workflow ids of all open deliveries of a parcel, page by page. */
  static List<String> openDeliveries(Client client, String parcel) {
    var filter = "status = open and workflow = 'Delivery' and input = " + ListQuery.quoted(parcel);
    var query = ListQuery.all().where(filter).limit(100);
    var found = new ArrayList<String>();
    var page = client.page(query);
    page.runs().forEach(run -> found.add(run.workflowId()));
    while (page.next() != null) {
      page = client.page(query.after(page.next()));
      page.runs().forEach(run -> found.add(run.workflowId()));
    }
    return found;
  }

  // end::find[]

  // tag::count[]
  /** How many runs of the last day there are in each status. */
  static Map<String, Long> lastDay(Client client) {
    return client.countBy("startedAt > now - 24h", "status");
  }

  // end::count[]

  // tag::nodes[]
  /** The engines that do their work now. */
  static List<NodeDescription> engines(Client client) {
    return client.nodes().stream()
        .filter(node -> node.state() == State.ALIVE && !node.client())
        .toList();
  }
  // end::nodes[]
}
