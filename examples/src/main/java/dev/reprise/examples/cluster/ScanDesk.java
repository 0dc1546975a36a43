package dev.reprise.examples.cluster;

import dev.reprise.Handle;
import dev.reprise.IdReuse;
import dev.reprise.RepriseException;
import dev.reprise.StartOptions;
import dev.reprise.engine.Engine;
import dev.reprise.engine.Reprise;
import java.util.List;

/** Where parcels are handed in and scanned. Runs no workflow itself. */
public final class ScanDesk implements AutoCloseable {
  private static final int ATTEMPTS = 3;

  private final Engine client;

  // tag::client[]
  public ScanDesk(String url) {
    this.client = Reprise.open(url).client();
  }

  // end::client[]

  // tag::start[]
  /** The same parcel once more is the same delivery. */
  public Handle<List<String>> handIn(String parcel) {
    return client.start(Delivery.class, parcel, parcel);
  }

  // end::start[]

  // tag::restart[]
  private static final StartOptions AGAIN = StartOptions.defaults().reuseId(IdReuse.AFTER_FAILURE);

  /** One that was stopped, or got lost, is a new delivery of the same parcel. */
  public Handle<List<String>> handInAgain(String parcel) {
    return client.start(Delivery.class, parcel, parcel, AGAIN);
  }

  // end::restart[]

  // tag::again[]
  /** Until it is known that the scan has arrived; with the same id it arrives once. */
  public void scan(String parcel, String station, String scanId) {
    for (int attempt = 1; ; attempt++) {
      try {
        client.signal(parcel, Delivery.SCAN, station, scanId);
        return;
      } catch (RepriseException e) {
        if (!e.isRetryable() || attempt == ATTEMPTS) throw e;
      }
    }
  }

  // end::again[]

  // tag::cancel[]
  public void stop(String parcel) {
    client.cancel(parcel, "the sender wants it back");
  }

  // end::cancel[]

  @Override
  public void close() {
    client.close();
  }
}
