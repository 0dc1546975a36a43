package dev.reprise.examples.first;

import dev.reprise.Context;
import dev.reprise.Workflow;

/** Signs somebody up: an account first, then a mail that names it. */
// tag::workflow[]
public final class SignUp implements Workflow<String, String> {
  private final Accounts accounts;
  private final Mail mail;

  public SignUp(Accounts accounts, Mail mail) {
    this.accounts = accounts;
    this.mail = mail;
  }

  @Override
  public String run(Context ctx, String address) {
    String account = ctx.run(accounts::create, address);
    ctx.run(mail::welcome, address, account);
    return account;
  }
}
// end::workflow[]
