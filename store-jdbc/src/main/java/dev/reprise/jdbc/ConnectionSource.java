package dev.reprise.jdbc;

import org.jspecify.annotations.Nullable;

/** Where connections come from. */
interface ConnectionSource {

  /**
   * Opens or borrows a connection.
   *
   * @param role what it is for, for people who look at the server
   */
  Session open(String role);

  /** The search path that the user has given with the place of the database, or null. */
  @Nullable String searchPath();

  /** From now on connections look up names in this schema alone. */
  void use(String schema);

  /** Whether a connection is kept after its first use, or goes back where it came from. */
  boolean isKept();

  /** What the database is called in messages. */
  String database();
}
