package dev.reprise.verification.chaos;

/** A time in which a process stood still, by the monotonic clock of the machine. */
record Freeze(long pid, long from, long until) {}
