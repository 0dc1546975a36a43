package dev.reprise.jdbc;

import dev.reprise.QueueLimits;
import dev.reprise.engine.queue.Flow;
import dev.reprise.engine.queue.FlowControl;
import dev.reprise.engine.queue.FlowControl.Group;
import dev.reprise.engine.queue.QueueJson;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.Handout;
import dev.reprise.engine.store.TaskRef;
import dev.reprise.engine.store.TaskStore.Take;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Hands out tasks. Of a queue without limits that is one statement. Else those who take wait for
 * each other, by the row of the queue, so that nobody counts what another is just taking.
 */
final class PostgresHandouts {
  /** Queues that had limits when they were last looked at, so that these are looked at first. */
  private final Set<String> counted = ConcurrentHashMap.newKeySet();

  List<Handout> take(Session session, Take take) {
    if (!counted.contains(take.queue())) {
      var taken = takeAtOnce(session, take);
      if (taken.isPresent()) return taken.get();
      counted.add(take.queue());
    }
    return session.inTransaction(() -> takeCounting(session, take));
  }

  /** Nothing if it must be counted first. */
  private static Optional<List<Handout>> takeAtOnce(Session session, Take take) {
    var names = names(take);
    var given = new ArrayList<@Nullable Object>();
    Collections.addAll(given, take.queue(), take.hand());
    Collections.addAll(given, take.queue(), take.limit(), take.perWorker());
    Collections.addAll(given, take.queue(), names, names, take.queue(), take.now());
    Collections.addAll(given, lease(take, names));
    var handouts = handouts(session, HandoutSql.TAKE, take, given);
    if (handouts.contains(Optional.<Handout>empty())) return Optional.empty();
    return Optional.of(handouts.stream().flatMap(Optional::stream).toList());
  }

  private static String[] names(Take take) {
    return take.policies().keySet().stream().sorted().toArray(String[]::new);
  }

  /** In the order of the parameters of the part that leases. */
  private static @Nullable Object[] lease(Take take, String[] names) {
    var retries = new String[names.length];
    for (int i = 0; i < names.length; i++) {
      retries[i] = Objects.requireNonNull(take.policies().get(names[i]));
    }
    return new Object[] {take.hand(), take.worker(), take.now(), take.now(), retries, names};
  }

  private static List<Optional<Handout>> handouts(
      Session session, String sql, Take take, List<@Nullable Object> given) {
    return session.list(sql, columns -> handout(columns, take), given.toArray());
  }

  // ---- under limits -----------------------------------------------------------------------------

  /**
   * A queue whose row is locked.
   *
   * @param now by the database's clock, which alone counts for the rate: those of nodes differ
   */
  private record Queue(QueueLimits limits, Flow flow, Instant now) {}

  private List<Handout> takeCounting(Session session, Take take) {
    var queue = lock(session, take);
    boolean isNeeded = FlowControl.isNeeded(queue.limits());
    if (!isNeeded) counted.remove(take.queue());
    var before = present(session, HandoutSql.HANDED, take, List.of(take.queue(), take.hand()));
    if (!before.isEmpty()) return before;
    session.update(HandoutSql.PROMOTE, take.queue(), take.now(), HandoutSql.PROMOTED);

    var control = new FlowControl(queue.limits(), queue.flow(), queue.now());
    var running = running(session, take.queue());
    int room = FlowControl.room(queue.limits(), take.limit(), take.perWorker());
    int allowed = control.allowance(room, running.values().stream().mapToLong(n -> n).sum());
    var taken =
        !queue.limits().byKey()
            ? takeFirst(session, take, allowed)
            : takeInTurns(
                session, take, control.turns(allowed, running, groups(session, take, allowed)));
    var flow = control.after(taken.size());
    if (isNeeded && !flow.equals(queue.flow())) {
      session.update(HandoutSql.SET_FLOW, QueueJson.write(flow), take.queue());
    }
    return taken;
  }

  private static Queue lock(Session session, Take take) {
    return session
        .first(
            HandoutSql.LOCK_QUEUE,
            columns ->
                new Queue(
                    QueueJson.limits(columns.getString(1)),
                    QueueJson.flow(columns.getString(2)),
                    PostgresTimes.instant(columns, 3)),
            take.queue())
        .orElse(new Queue(QueueLimits.none(), Flow.NEW, take.now()));
  }

  /** How many of each key count for the limits. */
  private static Map<String, Long> running(Session session, String queue) {
    var running = new HashMap<String, Long>();
    session.list(
        HandoutSql.RUNNING,
        columns -> running.put(columns.getString(1), columns.getLong(2)),
        queue);
    return running;
  }

  private static List<Handout> present(
      Session session, String sql, Take take, List<@Nullable Object> given) {
    return handouts(session, sql, take, given).stream().flatMap(Optional::stream).toList();
  }

  private static List<Group> groups(Session session, Take take, int allowed) {
    if (allowed == 0) return List.of();
    return session.list(
        HandoutSql.GROUPS,
        columns ->
            new Group(
                columns.getInt(1),
                columns.getString(2),
                columns.getInt(3),
                PostgresTimes.instant(columns, 4)),
        take.queue(),
        take.queue(),
        FlowControl.MAX_KEYS,
        take.queue(),
        names(take),
        allowed);
  }

  private static List<Handout> takeInTurns(
      Session session, Take take, List<FlowControl.Pick> picks) {
    if (picks.isEmpty()) return List.of();
    var names = names(take);
    var given = new ArrayList<@Nullable Object>();
    given.add(picks.stream().mapToInt(FlowControl.Pick::priority).toArray());
    given.add(picks.stream().map(FlowControl.Pick::key).toArray(String[]::new));
    given.add(picks.stream().mapToInt(FlowControl.Pick::count).toArray());
    Collections.addAll(given, take.queue(), names);
    Collections.addAll(given, lease(take, names));
    return present(session, HandoutSql.TAKE_IN_TURNS, take, given);
  }

  private static List<Handout> takeFirst(Session session, Take take, int allowed) {
    if (allowed == 0) return List.of();
    var names = names(take);
    var given = new ArrayList<@Nullable Object>();
    Collections.addAll(given, take.queue(), names, allowed);
    Collections.addAll(given, lease(take, names));
    return present(session, HandoutSql.TAKE_FIRST, take, given);
  }

  // ---- rows -------------------------------------------------------------------------------------

  /** Nothing for the row that stands for a queue with limits. */
  private static Optional<Handout> handout(ResultSet columns, Take take) throws SQLException {
    long run = columns.getLong(1);
    if (columns.wasNull()) return Optional.empty();
    int index = columns.getInt(2);
    return Optional.of(
        new Handout(
            new TaskRef(run, index),
            take.queue(),
            columns.getInt(3),
            take.hand(),
            PostgresTimes.instant(columns, 4),
            PostgresTimes.instantOrNull(columns, 5),
            event(new TaskRef(run, index), columns),
            columns.getString(7),
            columns.getObject(8, UUID.class),
            columns.getBytes(6)));
  }

  private static EventRow event(TaskRef ref, ResultSet columns) throws SQLException {
    var event =
        new EventRow(
            ref.isRun() ? 1 : ref.index(),
            PostgresTimes.instant(columns, 9),
            columns.getInt(10),
            columns.getString(11),
            Damage.bytes(columns, 12),
            columns.getBytes(13));
    return Damage.check(event, ref.isRun() ? TaskArrays.KEPT_WITH_TASK : ref.run(), columns, 14);
  }
}
