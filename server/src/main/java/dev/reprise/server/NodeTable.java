package dev.reprise.server;

import dev.reprise.NodeDescription;
import dev.reprise.NodeDescription.State;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;

/** Nodes for people: one line each, in the order in which they came. */
final class NodeTable {
  private final List<NodeDescription> nodes;
  private final Instant now;
  private final ZoneId zone;

  NodeTable(List<NodeDescription> nodes, Instant now, ZoneId zone) {
    this.nodes = List.copyOf(nodes);
    this.now = now;
    this.zone = zone;
  }

  void print(PrintWriter out) {
    var table = new Table("NODE", "HOST", "STATE", "SINCE", "LEASE", "RUNS");
    for (var node : nodes) {
      table.add(
          node.id().toString(),
          node.host(),
          state(node),
          Moments.full(node.joinedAt(), zone),
          lease(node),
          String.valueOf(node.runs()));
    }
    table.print(out);
  }

  static String state(NodeDescription node) {
    if (node.client() && node.state() == State.ALIVE) return "client";
    return node.state().name().toLowerCase(Locale.ROOT);
  }

  private String lease(NodeDescription node) {
    if (node.leaseUntil().equals(Instant.MAX)) return "none";
    var left = Duration.between(now, node.leaseUntil());
    return left.isNegative() ? "over for " + Moments.text(left.negated()) : Moments.text(left);
  }
}
