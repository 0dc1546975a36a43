package dev.reprise.jdbc;

import java.util.function.Supplier;

/** The tables of one database, as the migrator sees them. */
interface Schema {

  /** What the database is called in messages. */
  String database();

  /** The folder of its migrations. */
  String folder();

  /** Whether nothing is there that could be ours. */
  boolean isEmpty();

  /** Whether what is there is ours. */
  boolean isOurs();

  /** Names of tables that are there, the first few, for an error. */
  String tables();

  /** The number of the last migration that was applied. */
  int version();

  /** Applies a migration. */
  void apply(String script);

  /** Keeps other migrators out meanwhile. */
  <T> T inTransaction(Supplier<T> work);
}
