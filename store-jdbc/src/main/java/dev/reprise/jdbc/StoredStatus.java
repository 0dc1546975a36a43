package dev.reprise.jdbc;

import dev.reprise.Status;

/**
 * A status as the tables have it. A run that is undone is {@code RUNNING} or {@code BLOCKED} there,
 * as any other is, and marked: so those who look for what is due need not know of it.
 *
 * @param status what the column has
 * @param compensating the mark, which says nothing of a closed run
 */
record StoredStatus(String status, boolean compensating) {

  static StoredStatus of(Status shown) {
    return switch (shown) {
      case COMPENSATING -> new StoredStatus(Status.RUNNING.name(), true);
      case COMPENSATION_FAILED -> new StoredStatus(Status.BLOCKED.name(), true);
      default -> new StoredStatus(shown.name(), false);
    };
  }

  Status shown() {
    var stored = Status.valueOf(status);
    if (!compensating) return stored;
    return switch (stored) {
      case RUNNING -> Status.COMPENSATING;
      case BLOCKED -> Status.COMPENSATION_FAILED;
      default -> stored;
    };
  }
}
