package dev.reprise.examples.starts;

import dev.reprise.Client;
import dev.reprise.Handle;
import dev.reprise.StartOptions;
import java.time.Duration;

/** Where people ask for reports. */
public final class ReportDesk {
  private final Client client;

  public ReportDesk(Client client) {
    this.client = client;
  }

  // tag::queue[]
  /** Begins when there is room, those of managers first. */
  public Handle<String> ask(String id, String tenant, boolean urgent) {
    var options = StartOptions.onQueue("reports").key(tenant).priority(urgent ? 0 : 5);
    return client.start(Report.class, id, tenant, options);
  }

  // end::queue[]

  // tag::delay[]
  /** Begins tomorrow, whoever is there then. */
  public Handle<String> tomorrow(String id, String tenant) {
    return client.start(
        Report.class, id, tenant, StartOptions.defaults().delay(Duration.ofDays(1)));
  }

  // end::delay[]

  // tag::deduplicate[]
  /** One at a time for each tenant: who asks while one is there gets that one. */
  public Handle<String> once(String id, String tenant) {
    return client.start(
        Report.class, id, tenant, StartOptions.onQueue("reports").deduplicate(tenant));
  }

  // end::deduplicate[]

  // tag::debounce[]
  /** Begins when nobody has changed the document for a minute, with the last version. */
  public Handle<String> changed(String document, int version) {
    return client.start(
        Report.class,
        "%s-%d".formatted(document, version),
        "%s in version %d".formatted(document, version),
        StartOptions.defaults().debounce(document, Duration.ofMinutes(1)));
  }
  // end::debounce[]
}
