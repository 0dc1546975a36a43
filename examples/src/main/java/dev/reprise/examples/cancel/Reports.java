package dev.reprise.examples.cancel;

import dev.reprise.ActivityContext;

/** Makes reports from a database in which a statement can take hours. */
public final class Reports {
  private final Warehouse warehouse;

  public Reports(Warehouse warehouse) {
    this.warehouse = warehouse;
  }

  // tag::on-cancel[]
  public String inFull(int year) throws Exception {
    var statement = warehouse.prepare("all bookings of " + year);
    ActivityContext.current().onCancel(statement::cancel); // nobody waits for it any more
    return statement.execute();
  }

  // end::on-cancel[]

  /** Without the details. */
  public String inShort(int year) throws Exception {
    return warehouse.prepare("sums of " + year).execute();
  }

  /** Where the figures are. */
  @FunctionalInterface
  public interface Warehouse {
    Statement prepare(String what);
  }

  /** A question to it. */
  public interface Statement {

    /** Blocks until the answer is there, or until somebody cancels. */
    String execute() throws Exception;

    /** Makes {@link #execute} fail soon. Does not block. */
    void cancel();
  }
}
