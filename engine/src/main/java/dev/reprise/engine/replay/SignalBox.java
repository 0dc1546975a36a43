package dev.reprise.engine.replay;

import static java.util.Collections.emptyList;
import static java.util.Collections.emptyMap;

import dev.reprise.Signal;
import dev.reprise.engine.event.Event.SignalReceived;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Signals that nobody has received yet, in order for each name, and the waits for signals that have
 * not come yet, in the order of waiting.
 */
final class SignalBox {
  private Map<String, ArrayDeque<Arrived>> waiting = emptyMap();
  private List<Receiver> receivers = emptyList();
  private long arrivals;

  /** The wait that gets this signal; if none does, the signal stays here. */
  @Nullable Wait offer(SignalReceived signal) {
    for (int i = 0; i < receivers.size(); i++) {
      var receiver = receivers.get(i);
      if (receiver.accepts(signal.signal())) {
        receivers.remove(i);
        return receiver.by;
      }
    }
    var line = waiting.get(signal.signal());
    if (line == null) {
      line = new ArrayDeque<>(2);
      waiting = Sparse.put(waiting, signal.signal(), line);
    }
    line.add(new Arrived(arrivals++, signal));
    return null;
  }

  /** The oldest signal of that name, or of any name if it is null. */
  @Nullable SignalReceived take(@Nullable String name) {
    var line = name != null ? waiting.get(name) : oldest();
    if (line == null) return null;
    var signal = line.remove().signal;
    if (line.isEmpty()) waiting.remove(signal.signal());
    return signal;
  }

  private @Nullable ArrayDeque<Arrived> oldest() {
    ArrayDeque<Arrived> oldest = null;
    for (var line : waiting.values()) {
      if (oldest == null || line.getFirst().order < oldest.getFirst().order) oldest = line;
    }
    return oldest;
  }

  /** Signals that nobody has received, in the order in which they came. */
  List<SignalReceived> unreceived() {
    return waiting.values().stream()
        .flatMap(ArrayDeque::stream)
        .sorted(Comparator.comparingLong(Arrived::order))
        .map(Arrived::signal)
        .toList();
  }

  /** Forgets signals that nobody has received. */
  void clear() {
    waiting.clear();
  }

  void receive(@Nullable Signal<?> signal, Wait wait) {
    receivers = Sparse.add(receivers, new Receiver(signal, wait));
  }

  /** As what the code that waits for the next signal of that name is going to read it, if known. */
  @Nullable Signal<?> expected(String name) {
    for (var receiver : receivers) if (receiver.accepts(name)) return receiver.wanted;
    return null;
  }

  void giveUp(Wait wait) {
    receivers.removeIf(receiver -> receiver.by == wait);
  }

  private record Arrived(long order, SignalReceived signal) {}

  /**
   * @param wanted null for any signal
   */
  private record Receiver(@Nullable Signal<?> wanted, Wait by) {
    boolean accepts(String signal) {
      return wanted == null || wanted.name().equals(signal);
    }
  }
}
