package dev.reprise.jdbc;

/** Where connections come from. */
interface ConnectionSource {

  /**
   * Opens or borrows a connection.
   *
   * @param role what it is for, for people who look at the server
   */
  Session open(String role);

  /** Whether a connection is kept after its first use, or goes back where it came from. */
  boolean isKept();

  /** What the database is called in messages. */
  String database();
}
