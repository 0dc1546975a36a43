package dev.reprise.examples.children;

import dev.reprise.Context;
import dev.reprise.Workflow;
import java.time.Duration;

/** Asks a customer two weeks later whether everything was right. */
public final class Survey implements Workflow<String, String> {
  private final Mail mail;

  public Survey(Mail mail) {
    this.mail = mail;
  }

  @Override
  public String run(Context ctx, String customer) {
    ctx.sleep(Duration.ofDays(14));
    ctx.run(mail::ask, customer);
    return "asked " + customer;
  }

  /** Letters to customers. */
  @FunctionalInterface
  public interface Mail {
    void ask(String customer);
  }
}
