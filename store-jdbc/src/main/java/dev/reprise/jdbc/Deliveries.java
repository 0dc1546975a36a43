package dev.reprise.jdbc;

import dev.reprise.engine.store.Transition.Append;
import dev.reprise.engine.store.Transition.Delivery;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Inputs that runs send to others, turned by a quarter: an array for each column. */
final class Deliveries {
  private final List<Long> senders = new ArrayList<>();
  private final List<Delivery> sent = new ArrayList<>();

  Deliveries(List<Append> appends) {
    for (var append : appends) {
      for (var delivery : append.deliveries()) {
        senders.add(append.run());
        sent.add(delivery);
      }
    }
  }

  boolean isEmpty() {
    return sent.isEmpty();
  }

  long[] senders() {
    return senders.stream().mapToLong(Long::longValue).toArray();
  }

  /** For whom, in the same order as the senders. */
  String[] workflowIds() {
    return texts(Delivery::workflowId);
  }

  /** For whom, each once. */
  String[] targets() {
    return sent.stream().map(Delivery::workflowId).distinct().sorted().toArray(String[]::new);
  }

  /**
   * Stores them.
   *
   * @param ending whether their senders end, and send nothing if they do not
   */
  void addTo(Pipeline pipeline, boolean ending) {
    pipeline.add(
        CommitSql.DELIVER,
        ending ? senders.toArray(Long[]::new) : new @Nullable Long[sent.size()],
        workflowIds(),
        texts(delivery -> delivery.runId() == null ? null : delivery.runId().toString()),
        texts(delivery -> delivery.kind().name()),
        texts(Delivery::name),
        texts(Delivery::message),
        sent.stream().map(Delivery::value).toArray(byte[][]::new),
        sent.stream().mapToLong(delivery -> PostgresTimes.micros(delivery.sentAt())).toArray(),
        sent.stream().mapToInt(delivery -> delivery.toInput(0).checksum()).toArray(),
        targets());
  }

  private String[] texts(Function<Delivery, @Nullable String> column) {
    return sent.stream().map(column).toArray(String[]::new);
  }
}
