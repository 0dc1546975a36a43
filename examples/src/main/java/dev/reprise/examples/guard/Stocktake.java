package dev.reprise.examples.guard;

import dev.reprise.Context;
import dev.reprise.Deterministic;
import dev.reprise.Workflow;
import java.util.HashMap;
import java.util.List;

/** Has all shelves counted, and adds up what lies on them. */
public final class Stocktake implements Workflow<List<String>, Integer> {
  private final Counting counting;

  public Stocktake(Counting counting) {
    this.counting = counting;
  }

  // tag::because[]
  @Override
  public Integer run(Context ctx, List<String> shelves) {
    var pieces = new HashMap<String, Integer>();
    for (var shelf : shelves) pieces.put(shelf, ctx.run(counting::count, shelf));
    return sum(pieces);
  }

  @Deterministic(because = "a sum is the same in every order")
  private static int sum(HashMap<String, Integer> pieces) {
    int sum = 0;
    for (int each : pieces.values()) sum += each;
    return sum;
  }

  // end::because[]

  /** Those who go along the shelves. */
  public interface Counting {

    /** How many pieces lie there. */
    int count(String shelf);
  }
}
