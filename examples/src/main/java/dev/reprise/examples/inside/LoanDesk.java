package dev.reprise.examples.inside;

import dev.reprise.Client;
import dev.reprise.ListQuery;
import dev.reprise.RunDescription;
import dev.reprise.Waiting;
import java.util.List;
import java.util.Optional;

/** What the people of a bank want to know about applications. */
public final class LoanDesk {
  private final Client client;

  public LoanDesk(Client client) {
    this.client = client;
  }

  // tag::query[]
  /** Asks the code of the workflow. */
  public boolean has(String application, String document) {
    return client.query(application, LoanApplication.HAS, document);
  }

  // end::query[]

  // tag::update[]
  /** Hands in a document and returns how many are missing then. */
  public int handIn(String application, String document) {
    return client.update(application, LoanApplication.ADD, document);
  }

  // end::update[]

  // tag::published[]
  /** Reads what the workflow has told last; no engine has to run for that. */
  public Optional<String> stage(String application) {
    return client.published(application, LoanApplication.STAGE);
  }

  // end::published[]

  // tag::list[]
  /** The large ones of a customer that nobody has decided about, the newest first. */
  public List<RunDescription> largeLoans(String customer) {
    var filter =
        "workflow = 'LoanApplication' and status = open and attribute.cents >= 1000000"
            + " and attribute.customer = "
            + ListQuery.quoted(customer);
    return client.list(ListQuery.all().where(filter));
  }

  // end::list[]

  // tag::waits[]
  /** What an application waits for, with the line of code. */
  public List<String> waitsFor(String application) {
    return client.describe(application).waitingFor().stream().map(Waiting::toString).toList();
  }
  // end::waits[]
}
