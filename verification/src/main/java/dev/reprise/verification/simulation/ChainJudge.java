package dev.reprise.verification.simulation;

import dev.reprise.Status;
import dev.reprise.engine.event.Event;
import dev.reprise.engine.event.Origin;
import dev.reprise.verification.simulation.Chain.Link;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whether the runs of a workflow hang together: each has one that goes on from it, knows where it
 * comes from, and gets all that the one before had not received, and nothing else.
 */
final class ChainJudge {
  private static final Pattern HEARD = Pattern.compile("\"notes\":\\[([^\\]]*)\\]");

  private ChainJudge() {}

  /** What is wrong, or null. */
  static @Nullable String problem(Chain chain) {
    for (int i = 0; i + 1 < chain.links().size(); i++) {
      var problem = problem(chain.links().get(i), chain.links().get(i + 1));
      if (problem != null) return problem;
    }
    for (var link : chain.links()) {
      var twice = twice(Link.notes(link.own()));
      if (twice != null) return "received %s twice".formatted(twice);
    }
    return chain.last().row().status() == Status.CONTINUED ? "does not go on" : null;
  }

  private static @Nullable String twice(List<String> notes) {
    var seen = new HashSet<String>();
    for (var note : notes) if (!seen.add(note)) return note;
    return null;
  }

  private static @Nullable String problem(Link from, Link to) {
    var lineage = to.lineage();
    if (lineage == null || !lineage.from().equals(from.row().runId())) {
      return "has a run that does not go on from the one before";
    }
    if (!(from.events().getLast() instanceof Event.WorkflowContinuedAsNew(var next))
        || !next.equals(to.row().runId())) {
      return "has two runs side by side";
    }
    if (isLost(Event.WorkflowCancelRequested.class, from, to)) return "has lost a cancel";
    boolean looped = lineage.how() == Origin.How.LOOPED;
    var received = looped ? heard(to) : told(from);
    var carried = Link.notes(looped ? to.own() : to.events());
    return problem(Link.notes(from.events()), received, carried, Link.notes(to.events()));
  }

  private static boolean isLost(Class<? extends Event> type, Link from, Link to) {
    return from.has(type) && !to.has(type);
  }

  private static @Nullable String problem(
      List<String> had, Set<String> received, List<String> carried, List<String> has) {
    for (var note : had) {
      if (!received.contains(note) && !has.contains(note)) return "has lost the signal " + note;
    }
    var again = new ArrayList<>(carried);
    again.retainAll(received);
    return again.isEmpty() ? null : "received %s twice, in two runs".formatted(again);
  }

  /** Signals that the loop had received when it was cut. */
  private static Set<String> heard(Link to) {
    for (var event : to.events().reversed()) {
      if (!(event instanceof Event.LoopSnapshot(_, _, var state))) continue;
      var found = HEARD.matcher(state.toString());
      if (found.find()) return split(Chain.plain(found.group(1)));
    }
    return Set.of();
  }

  /** Signals that the run had received when it ended, as it published. */
  private static Set<String> told(Link from) {
    for (var event : from.events().reversed()) {
      if (event instanceof Event.ValuePublished(var key, var value)
          && key.equals(Play.NOTES.name())) {
        return split(Chain.plain(value.toString()));
      }
    }
    return Set.of();
  }

  private static Set<String> split(String notes) {
    return new HashSet<>(List.of(notes.split(",")));
  }
}
