package dev.reprise.verification.bench;

/** Something to measure. */
interface Workload {

  /** What it is called on the command line and in tables. */
  String id();

  /** Measures it on one kind of store, and reports. */
  void measure(Site site, Report report) throws Exception;

  /** Whether processes that it starts do the work. */
  default boolean isInOtherProcesses() {
    return false;
  }
}
