package dev.reprise.jdbc;

import java.nio.file.Path;
import java.util.function.Supplier;

/** The tables of an SQLite file. */
record SqliteSchema(Jdbc jdbc, Path file) implements Schema {
  private static final int APPLICATION_ID = 0x52707273; // as the first migration has it

  private static final String COUNT_TABLES = "SELECT count(*) FROM sqlite_schema";
  private static final String TABLES =
      """
      SELECT coalesce(group_concat(name, ', '), '')
        FROM (SELECT name FROM sqlite_schema WHERE type <> 'index' ORDER BY name LIMIT 5)
      """;
  private static final String READ_APPLICATION_ID = "PRAGMA application_id";
  private static final String READ_VERSION = "SELECT max(version) FROM schema_version";

  @Override
  public String database() {
    return "'%s'".formatted(file);
  }

  @Override
  public String folder() {
    return "sqlite";
  }

  @Override
  public boolean isEmpty() {
    return number(COUNT_TABLES) == 0;
  }

  @Override
  public boolean isOurs() {
    return number(READ_APPLICATION_ID) == APPLICATION_ID;
  }

  @Override
  public String tables() {
    return jdbc.first(TABLES, columns -> columns.getString(1)).orElse("");
  }

  @Override
  public int version() {
    return number(READ_VERSION);
  }

  @Override
  public void apply(String script) {
    jdbc.executeScript(script);
  }

  @Override
  public <T> T inTransaction(Supplier<T> work) {
    return jdbc.inTransaction(work);
  }

  private int number(String sql) {
    return jdbc.first(sql, columns -> columns.getInt(1)).orElse(0);
  }
}
