package dev.reprise.examples.crash;

import dev.reprise.Context;
import dev.reprise.Workflow;

/** Moves money from one account to another: both movements happen, or neither has happened yet. */
// tag::workflow[]
public final class Transfer implements Workflow<Transfer.Amount, String> {
  private final Bank bank;

  public Transfer(Bank bank) {
    this.bank = bank;
  }

  public record Amount(String from, String to, long cents) {}

  @Override
  public String run(Context ctx, Amount amount) {
    ctx.run(bank::withdraw, amount.from(), amount.cents(), ctx.workflowId() + "/out");
    ctx.run(bank::deposit, amount.to(), amount.cents(), ctx.workflowId() + "/in");
    return "moved %d cents".formatted(amount.cents());
  }
}
// end::workflow[]
