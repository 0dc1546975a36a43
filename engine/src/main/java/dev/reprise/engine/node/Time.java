package dev.reprise.engine.node;

import java.time.Instant;

/** Where the engine takes the time from, and who wakes it. A test gives it another. */
public interface Time extends AutoCloseable {

  /** Now, to the microsecond; never before what it said last. */
  Instant now();

  /** Whom to call when an alarm goes off. Called once, before any alarm is set. */
  void onAlarm(Runnable alarm);

  /** Sets the alarm, unless it is set for an earlier time. It may go off late, or too often. */
  void alarmAt(Instant at);

  @Override
  void close();
}
