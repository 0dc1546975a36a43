package dev.reprise.engine.doctor;

import java.util.Locale;

/** What is checked, one name for each kind of defect. */
public enum Check {
  /** A history has the indexes from 1 on, without gaps. */
  INDEXES,
  /** Every event can be read. */
  READABLE,
  /** Every event and every waiting input is what was written, by its checksum. */
  CHECKSUMS,
  /** The database is sound by its own check, and everything in it can be read. */
  STORAGE,
  /** A history begins with the start of its run, and nothing stands behind its end. */
  ORDER,
  /** Times never go back; no sleep, limit or next attempt comes early, and none is forgotten. */
  TIMES,
  /** An activity ends once, and is not attempted after that. */
  ACTIVITIES,
  /** The row of a run is what its history adds up to. */
  ROW,
  /** No input waits for a closed run, nor long for one that is in memory. */
  INPUTS,
  /** A due run is taken soon by the engines that serve its workflow. */
  LATE,
  /** A due run has an engine that serves its workflow, and what is on a queue has a worker. */
  UNSERVED,
  /** A workflow id has one open run at most. */
  ONE_OPEN_RUN,
  /** Every row belongs to a run. */
  ORPHANS,
  /** The owner of a run is a node. */
  OWNERS;

  /** How bad it is if it does not hold. */
  public Severity severity() {
    return this == UNSERVED ? Severity.WARNING : Severity.ERROR;
  }

  /** The name people see. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** How bad a finding is. */
  public enum Severity {
    /** Something that must never be. */
    ERROR,
    /** Something that is right as it is, and may not be wanted. */
    WARNING
  }
}
