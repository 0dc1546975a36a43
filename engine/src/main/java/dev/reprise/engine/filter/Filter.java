package dev.reprise.engine.filter;

import dev.reprise.ListQuery;
import dev.reprise.Status;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Which runs are wanted.
 *
 * <p>A filter is true or false of a run, never unknown: a comparison with something that is not
 * there is false, and its negation true.
 */
public sealed interface Filter {
  /** All runs. */
  Filter ALL = new And(List.of());

  /** What a query asks for: its text, its status and its workflow, all of them. */
  static Filter of(ListQuery query, Instant now) {
    var parts = new ArrayList<Filter>();
    query.wantedStatus().ifPresent(status -> parts.add(withStatus(status)));
    if (query.workflow() != null) parts.add(ofWorkflow(query.workflow()));
    if (query.filter() != null) parts.add(parse(query.filter(), now));
    return and(parts);
  }

  /**
   * Reads a filter. Blank text is {@link #ALL}.
   *
   * @param now what {@code now} stands for in it
   * @throws dev.reprise.RepriseException {@code R129} with the position of the mistake
   */
  static Filter parse(String text, Instant now) {
    return new FilterParser(text, now).parse();
  }

  /** Those with this status. */
  static Filter withStatus(Status status) {
    return new InStatus(Set.of(status));
  }

  /** Those of this definition. */
  static Filter ofWorkflow(String workflow) {
    return new Compare(Field.Column.WORKFLOW, Relation.EQUAL, new Value.Text(workflow));
  }

  /** Those that all of them let through. */
  static Filter and(List<Filter> parts) {
    return parts.size() == 1 ? parts.getFirst() : new And(parts);
  }

  /** Those that one of them lets through. */
  static Filter or(List<Filter> parts) {
    return parts.size() == 1 ? parts.getFirst() : new Or(parts);
  }

  /** Whether a run is wanted. */
  default boolean matches(Subject run) {
    return new Matching(run).holds(this);
  }

  /** All of them; of none, true. */
  record And(List<Filter> parts) implements Filter {
    public And {
      parts = List.copyOf(parts);
    }
  }

  /** At least one of them. */
  record Or(List<Filter> parts) implements Filter {
    public Or {
      parts = List.copyOf(parts);
    }
  }

  /** Not that. */
  record Not(Filter part) implements Filter {}

  /** Its status is one of these. */
  record InStatus(Set<Status> statuses) implements Filter {
    public InStatus {
      statuses = Set.copyOf(statuses);
    }
  }

  /** It waits for one of these at that time, and perhaps for more. */
  record WaitsFor(Set<WaitKind> kinds, Instant now) implements Filter {
    public WaitsFor {
      kinds = Set.copyOf(kinds);
    }
  }

  /** The field is there and stands in this relation to the value. */
  record Compare(Field field, Relation relation, Value value) implements Filter {}

  /** The field equals one of these. */
  record AnyOf(Field field, List<Value> values) implements Filter {
    public AnyOf {
      values = List.copyOf(values);
    }
  }

  /** The field is a text of this form. */
  record Like(Field field, LikePattern pattern) implements Filter {}

  /** The field is not there; in JSON, a null is not there either. */
  record Missing(Field field) implements Filter {}
}
