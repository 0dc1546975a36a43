package dev.reprise.verification.bench;

import java.util.List;

/**
 * A workflow engine that can be measured: ours, or a peer, which is a service of this type on the
 * class path of a process of its own.
 */
public interface Contestant {

  /** What it is called in tables and, in any case, on the command line. */
  String name();

  /** The product and its version. */
  String version();

  /** Starts it on a database, with the workflows of all jobs. */
  Subject open(String url, Probes probes);

  /** What a database has of workflows, read without an engine. */
  Records read(String url);

  /** What one has to know about its figures for a workload. */
  default List<String> remarks(String workload) {
    return List.of();
  }
}
