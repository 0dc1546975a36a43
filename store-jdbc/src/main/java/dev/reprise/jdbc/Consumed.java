package dev.reprise.jdbc;

import dev.reprise.engine.store.Transition.Append;
import java.util.List;

/** The inputs that appends take in, each with its run. */
record Consumed(long[] inputs, long[] runs) {

  static Consumed by(List<Append> appends) {
    return new Consumed(
        appends.stream().flatMap(a -> a.consumedInputs().stream()).mapToLong(i -> i).toArray(),
        appends.stream()
            .flatMapToLong(a -> a.consumedInputs().stream().mapToLong(_ -> a.run()))
            .toArray());
  }

  boolean isEmpty() {
    return inputs.length == 0;
  }
}
