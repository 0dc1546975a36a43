package dev.reprise.examples.limits;

import dev.reprise.ActivityOptions;
import dev.reprise.Context;
import dev.reprise.Workflow;
import java.util.List;

/** Writes to many people for a customer. */
public final class Campaign implements Workflow<Campaign.Order, Integer> {
  /** To whom, for whom. */
  public record Order(String customer, List<String> readers) {
    public Order {
      readers = List.copyOf(readers);
    }
  }

  /** Sends mails. */
  public interface Mail {
    void send(String reader);
  }

  // tag::key[]
  @Override
  public Integer run(Context ctx, Order order) {
    var options = ActivityOptions.onQueue("mail").key(order.customer());
    var mail = ctx.activities(Mail.class, options);
    var sent =
        order.readers().stream()
            .map(reader -> ctx.with(options).schedule(mail::send, reader))
            .toList();
    ctx.all(sent);
    return sent.size();
  }
  // end::key[]
}
