package dev.reprise.examples.change;

import dev.reprise.Client;
import dev.reprise.ListQuery;
import dev.reprise.RunDescription;
import java.util.List;

/** What somebody does after a release whose changes hold runs. */
public final class Release {
  private Release() {}

  // tag::held[]
  /** Runs that wait for somebody because their code has changed. */
  static List<RunDescription> heldByChange(Client client) {
    return client.list(ListQuery.all().where("status = held and blockedBy like 'R131%'"));
  }

  // end::held[]

  // tag::resume[]
  /** First one, to see how it goes; then all others of that workflow. */
  static int letGo(Client client, String first, String workflow) {
    client.resume(first);
    return client.resumeHeld("blockedBy like 'R131%' and workflow = " + ListQuery.quoted(workflow));
  }
  // end::resume[]
}
