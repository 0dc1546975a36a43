package dev.reprise.engine.queue;

import dev.reprise.QueueLimits;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How much of a queue may be handed out, and whose comes first. Each store counts what is there,
 * asks here, and keeps the answer's {@link Flow}, all while nobody else takes from the queue.
 */
public final class FlowControl {
  /** So many keys take turns at once; more are looked at when some of these have nothing left. */
  public static final int MAX_KEYS = 500;

  private final QueueLimits limits;
  private Flow flow;

  /**
   * @param flow what was kept of the last time
   * @param now by the clock that counts for this queue, read while nobody else takes from it
   */
  public FlowControl(QueueLimits limits, Flow flow, Instant now) {
    this.limits = limits;
    this.flow = flow.filled(limits.rate(), now);
  }

  /** Whether a queue with these limits needs all this: else all that is there may be taken. */
  public static boolean isNeeded(QueueLimits limits) {
    return limits.concurrency() != null || limits.rate() != null || limits.byKey();
  }

  /** How many a worker may have more. */
  public static int room(QueueLimits limits, int wanted, int has) {
    int most = limits.perWorker() == null ? wanted : limits.perWorker() - has;
    return Math.max(0, Math.min(wanted, most));
  }

  /**
   * How many may be handed out.
   *
   * @param running how many workers have already
   */
  public int allowance(int wanted, long running) {
    long allowed = wanted;
    if (limits.concurrency() != null) allowed = Math.min(allowed, limits.concurrency() - running);
    if (limits.rate() != null) allowed = Math.min(allowed, (long) Math.floor(flow.tokens()));
    return (int) Math.max(0, allowed);
  }

  /**
   * Tasks of one priority and key that are ready.
   *
   * @param count how many, or how many are wanted if there are more
   * @param oldest since when the first of them is
   */
  public record Group(int priority, String key, int count, Instant oldest) {}

  /** So many of a priority and a key. */
  public record Pick(int priority, String key, int count) {}

  /**
   * Whose come first: by priority, and of one priority each key in its turn.
   *
   * @param allowed at most so many
   * @param running how many of each key workers have already
   */
  public List<Pick> turns(int allowed, Map<String, Long> running, List<Group> ready) {
    var byPriority = new TreeMap<Integer, List<Group>>();
    for (var group : ready) {
      byPriority.computeIfAbsent(group.priority(), _ -> new ArrayList<>()).add(group);
    }
    var busy = new HashMap<>(running);
    var picks = new ArrayList<Pick>();
    int left = allowed;
    for (var groups : byPriority.values()) {
      var taken = turnsOf(groups, left, busy);
      for (var entry : taken.entrySet()) {
        picks.add(new Pick(groups.getFirst().priority(), entry.getKey(), entry.getValue()));
        left -= entry.getValue();
      }
    }
    return picks;
  }

  private Map<String, Integer> turnsOf(List<Group> groups, int left, Map<String, Long> busy) {
    var taken = new LinkedHashMap<String, Integer>();
    for (int i = 0; i < left; i++) {
      var waiting = groups.stream().filter(group -> mayBegin(group, taken, busy)).toList();
      if (waiting.isEmpty()) break;
      var next = first(waiting);
      taken.merge(next.key(), 1, Integer::sum);
      busy.merge(next.key(), 1L, Long::sum);
      flow = flow.served(next.key(), weights(waiting));
    }
    return taken;
  }

  private boolean mayBegin(Group group, Map<String, Integer> taken, Map<String, Long> busy) {
    if (taken.getOrDefault(group.key(), 0) >= group.count()) return false;
    return limits.perKey() == null || busy.getOrDefault(group.key(), 0L) < limits.perKey();
  }

  private Group first(List<Group> waiting) {
    var best = waiting.getFirst();
    for (var group : waiting) if (isBefore(group, best)) best = group;
    return best;
  }

  private Map<String, Integer> weights(List<Group> waiting) {
    var weights = new HashMap<String, Integer>();
    for (var group : waiting) {
      weights.put(group.key(), limits.weights().getOrDefault(group.key(), 1));
    }
    return weights;
  }

  private boolean isBefore(Group one, Group other) {
    int byTurn = Double.compare(flow.next(one.key()), flow.next(other.key()));
    if (byTurn != 0) return byTurn < 0;
    int byAge = one.oldest().compareTo(other.oldest());
    return byAge != 0 ? byAge < 0 : one.key().compareTo(other.key()) < 0;
  }

  /** What to keep for the next time, after so many were handed out. */
  public Flow after(int taken) {
    return flow.spent(taken);
  }
}
