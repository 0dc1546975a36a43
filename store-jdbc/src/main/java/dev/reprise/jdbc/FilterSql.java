package dev.reprise.jdbc;

import dev.reprise.Status;
import dev.reprise.engine.event.EventType;
import dev.reprise.engine.filter.Field;
import dev.reprise.engine.filter.Field.Column;
import dev.reprise.engine.filter.Field.InJson;
import dev.reprise.engine.filter.Filter;
import dev.reprise.engine.filter.LikePattern;
import dev.reprise.engine.filter.Relation;
import dev.reprise.engine.filter.Value;
import dev.reprise.engine.filter.WaitKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Translates a filter into a condition on the table {@code runs}.
 *
 * <p>Nothing of the user's gets into the text, not even quoted: values, patterns and paths are
 * parameters. And no part of the condition is ever null, so that NOT means the same as in a filter.
 */
final class FilterSql {
  private final Dialect dialect;
  private final StringBuilder text = new StringBuilder();
  private final List<Object> parameters = new ArrayList<>();

  private FilterSql(Dialect dialect) {
    this.dialect = dialect;
  }

  static Sql condition(Dialect dialect, Filter filter) {
    var sql = new FilterSql(dialect);
    sql.add(filter);
    return new Sql(sql.text.toString(), sql.parameters);
  }

  private void add(Filter filter) {
    switch (filter) {
      case Filter.And(var parts) -> joined(parts, " AND ", "1 = 1");
      case Filter.Or(var parts) -> joined(parts, " OR ", "1 = 0");
      case Filter.Not(var part) -> {
        text.append("NOT (");
        add(part);
        text.append(')');
      }
      case Filter.InStatus(var statuses) -> status(statuses);
      case Filter.WaitsFor(var kinds, var now) -> waitsFor(kinds, now);
      case Filter.Compare(var field, var relation, var value) -> compare(field, relation, value);
      case Filter.AnyOf(var field, var values) -> anyOf(field, values);
      case Filter.Like(var field, var pattern) -> like(field, pattern);
      case Filter.Missing(var field) -> missing(field);
    }
  }

  private void joined(List<Filter> parts, String word, String none) {
    if (parts.isEmpty()) text.append(none);
    for (int i = 0; i < parts.size(); i++) {
      text.append(i == 0 ? "(" : word + "(");
      add(parts.get(i));
      text.append(')');
    }
  }

  // ---- the status -------------------------------------------------------------------------------

  /** Runs that are undone are stored as others are, and marked. */
  private void status(Set<Status> statuses) {
    if (statuses.isEmpty()) {
      text.append("1 = 0");
      return;
    }
    if (!statuses.contains(Status.COMPLETED)) {
      text.append("runs.status <> 'COMPLETED' AND "); // what the partial index asks for
    }
    var stored = new TreeSet<String>();
    statuses.forEach(status -> stored.add(StoredStatus.of(status).status()));
    text.append("runs.status ");
    text.append(stored.size() == 1 ? "= ?" : "IN (" + marks(stored.size()) + ")");
    parameters.addAll(stored);
    for (var half : halves(statuses)) {
      var one = StoredStatus.of(half);
      text.append(" AND (runs.status <> ? OR ")
          .append(one.compensating() ? "runs.compensating" : "NOT runs.compensating")
          .append(')');
      parameters.add(one.status());
    }
  }

  /** Statuses that are wanted without the other one that is stored under the same name. */
  private static Set<Status> halves(Set<Status> statuses) {
    var halves = EnumSet.noneOf(Status.class);
    for (var status : statuses) {
      if (status.isClosed()) continue;
      var stored = StoredStatus.of(status);
      var other = new StoredStatus(stored.status(), !stored.compensating()).shown();
      if (!statuses.contains(other)) halves.add(status);
    }
    return halves;
  }

  // ---- what it waits for ------------------------------------------------------------------------

  private static final String SLEEPS =
      more(EventType.TIMER_SCHEDULED, EventType.TIMER_FIRED, EventType.TIMER_CANCELLED);
  private static final String HAS_CHILDREN =
      more(EventType.CHILD_STARTED, EventType.CHILD_COMPLETED, EventType.CHILD_FAILED);
  private static final String HAS_TASKS =
      "EXISTS (SELECT 1 FROM tasks WHERE tasks.run_key = runs.run_key AND tasks.idx > 0)";

  private void waitsFor(Set<WaitKind> kinds, Instant now) {
    var word = "";
    for (var kind : new TreeSet<>(kinds)) {
      text.append(word).append('(');
      status(
          Set.of(
              switch (kind) {
                case QUEUE -> Status.QUEUED;
                case COMPENSATION -> Status.COMPENSATING;
                case TIMER, ACTIVITY, CHILD, SIGNAL -> Status.RUNNING;
              }));
      switch (kind) {
        case QUEUE, COMPENSATION -> {}
        case TIMER -> text.append(" AND ").append(SLEEPS);
        case CHILD -> text.append(" AND ").append(HAS_CHILDREN);
        case ACTIVITY -> activity(" AND ", now);
        case SIGNAL -> {
          activity(" AND NOT ", now);
          text.append(" AND NOT ").append(SLEEPS).append(" AND NOT ").append(HAS_CHILDREN);
        }
      }
      text.append(')');
      word = " OR ";
    }
  }

  /** On a queue, between two attempts, or at work: then the row says that it is due. */
  private void activity(String word, Instant now) {
    text.append(word).append('(').append(HAS_TASKS);
    text.append(" OR (runs.wake_at IS NOT NULL AND runs.wake_at <= ").append(dialect.time());
    text.append(" AND NOT ").append(SLEEPS).append(')');
    parameters.add(now);
    text.append(" OR ").append(dialect.retries()).append(')');
  }

  /** More events of that type than of the others. */
  private static String more(EventType type, EventType... ends) {
    var codes = Arrays.stream(ends).map(end -> String.valueOf(end.code())).toList();
    return """
    ((SELECT coalesce(sum(CASE WHEN events.type = %d THEN 1 ELSE -1 END), 0)
               FROM events
              WHERE events.run_key = runs.run_key AND events.type IN (%d, %s)) > 0)\
    """
        .formatted(type.code(), type.code(), String.join(", ", codes));
  }

  // ---- facts about the run ----------------------------------------------------------------------

  private void compare(Field field, Relation relation, Value value) {
    switch (field) {
      case Column column -> compare(column, relation, value);
      case InJson inJson -> {
        lookup(inJson);
        if (relation == Relation.NOT_EQUAL) {
          text.append("kind <> 'null' AND NOT (");
          found("=", value);
          text.append("))");
        } else {
          found(relation.symbol(), value);
          text.append(')');
        }
      }
    }
  }

  private void compare(Column column, Relation relation, Value value) {
    if (column == Column.WORKFLOW_ID && relation == Relation.EQUAL) {
      text.append(dialect.ofWorkflowId());
      parameters.addAll(Collections.nCopies(2, parameter(value)));
      return;
    }
    present(column);
    text.append(dialect.column(column))
        .append(relation == Relation.NOT_EQUAL ? " <> " : " " + relation.symbol() + " ")
        .append(mark(column));
    parameters.add(parameter(value));
  }

  /** Else the comparison would be null. */
  private void present(Column column) {
    if (isOptional(column)) text.append(dialect.column(column)).append(" IS NOT NULL AND ");
  }

  private static boolean isOptional(Column column) {
    return switch (column) {
      case WORKFLOW_ID, RUN_ID, WORKFLOW, STARTED_AT -> false;
      case PARENT, BLOCKED_BY, CLOSED_AT -> true;
    };
  }

  private String mark(Column column) {
    return column.isTime() ? dialect.time() : "?";
  }

  private void anyOf(Field field, List<Value> values) {
    switch (field) {
      case Column column -> {
        present(column);
        var marks = Collections.nCopies(values.size(), mark(column));
        text.append(dialect.column(column)).append(" IN (");
        text.append(String.join(", ", marks)).append(')');
        values.forEach(value -> parameters.add(parameter(value)));
      }
      case InJson inJson -> {
        lookup(inJson);
        for (int i = 0; i < values.size(); i++) {
          text.append(i == 0 ? "(" : " OR (");
          found("=", values.get(i));
          text.append(')');
        }
        text.append(')');
      }
    }
  }

  private void like(Field field, LikePattern pattern) {
    switch (field) {
      case Column column -> {
        present(column);
        text.append(dialect.column(column)).append(' ').append(dialect.like());
      }
      case InJson inJson -> {
        lookup(inJson);
        text.append(dialect.text()).append(' ').append(dialect.like()).append(')');
      }
    }
    parameters.add(dialect.pattern(pattern));
  }

  private void missing(Field field) {
    switch (field) {
      case Column column -> text.append(dialect.column(column)).append(" IS NULL");
      case InJson inJson -> {
        text.append("NOT ");
        lookup(inJson);
        text.append("kind <> 'null')");
      }
    }
  }

  // ---- places in documents ----------------------------------------------------------------------

  /** Begins a condition on what is found, which is false if that is null or if nothing is found. */
  private void lookup(InJson field) {
    text.append("EXISTS (SELECT 1 FROM (").append(dialect.lookup(field));
    text.append(") AS looked WHERE ");
    parameters.addAll(dialect.path(field));
  }

  private void found(String comparison, Value value) {
    text.append(
        switch (value) {
          case Value.Text _ -> dialect.text() + " " + comparison + " ?";
          case Value.Numeric _ -> dialect.number(comparison);
          case Value.Truth _ -> dialect.truth();
          case Value.Time _ -> throw new IllegalArgumentException("a time in a document");
        });
    parameters.add(parameter(value));
  }

  private static Object parameter(Value value) {
    return switch (value) {
      case Value.Text(var given) -> given;
      case Value.Numeric(var number) -> number.toString();
      case Value.Truth(var truth) -> Boolean.toString(truth);
      case Value.Time(var time) -> time;
    };
  }

  private static String marks(int count) {
    return String.join(", ", Collections.nCopies(count, "?"));
  }
}
