package dev.reprise.examples.limits;

import dev.reprise.Client;
import dev.reprise.QueueLimits;
import java.time.Duration;

/** What the people of the night shift do to the queue of mails. */
public final class MailLimits {
  private final Client client;

  public MailLimits(Client client) {
    this.client = client;
  }

  // tag::limit[]
  /** What the mail provider allows us, and what we allow each of our customers. */
  public void asUsual() {
    client.limit(
        "mail",
        QueueLimits.none()
            .rate(100, Duration.ofSeconds(1)) // so many begin in a second
            .concurrency(20) // so many at once, in all workers together
            .perKey(5)); // and so many of them of one customer
  }

  // end::limit[]

  // tag::fair[]
  /** Everybody has a turn, and customers who pay for it have three. */
  public void fairly() {
    client.limit("mail", QueueLimits.none().fair().weight("gold", 3));
  }

  // end::fair[]

  // tag::change[]
  /** The provider has trouble: less for a while, and everything else as it is. */
  public void slowly() {
    var now = client.queue("mail").limits();
    client.limit("mail", now.rate(5, Duration.ofSeconds(1)));
  }

  /** Nothing more is handed out. What runs goes on. */
  public void pause() {
    client.limit("mail", client.queue("mail").limits().paused());
  }

  // end::change[]

  // tag::look[]
  /** Whether somebody should be woken up. */
  public boolean isInTrouble() {
    var mail = client.queue("mail");
    return mail.ready() > 10_000 || (mail.ready() > 0 && !mail.isServed());
  }
  // end::look[]
}
