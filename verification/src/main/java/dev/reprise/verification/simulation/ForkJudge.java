package dev.reprise.verification.simulation;

import dev.reprise.engine.event.Event;
import dev.reprise.verification.simulation.Chain.Link;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Whether forks begin with what they were forked from. */
final class ForkJudge {
  private final Auditor auditor;
  private final Map<String, Chain> chains;

  ForkJudge(Auditor auditor, Map<String, Chain> chains) {
    this.auditor = auditor;
    this.chains = chains;
  }

  void judge() {
    for (var chain : chains.values()) {
      if (chain.first().isFork()) judge(chain.first());
    }
  }

  private void judge(Link fork) {
    auditor.count("forks");
    var source = source(fork);
    if (source == null) {
      auditor.violation("%s is the fork of nothing".formatted(fork.row().workflowId()));
      return;
    }
    int copied = fork.history().size() - fork.own().size();
    for (int i = 1; i < copied; i++) {
      boolean child = fork.events().get(i) instanceof Event.ChildStarted; // has an id of its own
      if (child || Judge.isSame(fork.history().get(i), source.history().get(i))) continue;
      auditor.violation(
          "%s differs from its source in event %d".formatted(fork.row().workflowId(), i + 1));
    }
    var input = source.started().input();
    if (!fork.started().input().equals(input)) {
      auditor.violation("%s began with other input".formatted(fork.row().workflowId()));
    }
  }

  private @Nullable Link source(Link fork) {
    var lineage = fork.lineage();
    if (lineage == null) return null;
    return chains.values().stream()
        .flatMap(chain -> chain.links().stream())
        .filter(link -> link.row().runId().equals(lineage.from()))
        .findFirst()
        .orElse(null);
  }
}
