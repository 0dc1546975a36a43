package dev.reprise.jdbc;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Statements that go to the database together, with their parameters and who reads the answers. */
final class Pipeline {
  private final StringJoiner sql = new StringJoiner(";\n");
  private final List<@Nullable Object> parameters = new ArrayList<>();
  private final List<Jdbc.@Nullable Row<?>> readers = new ArrayList<>();

  /** A statement without an answer. */
  void add(String statement, @Nullable Object... values) {
    append(statement, null, values);
  }

  /** A statement with an answer. */
  void query(String statement, Jdbc.Row<?> reader, @Nullable Object... values) {
    append(statement, reader, values);
  }

  private void append(String statement, Jdbc.@Nullable Row<?> reader, @Nullable Object[] values) {
    sql.add(statement);
    readers.add(reader);
    Collections.addAll(parameters, values);
  }

  boolean isEmpty() {
    return readers.isEmpty();
  }

  String sql() {
    return sql.toString();
  }

  List<@Nullable Object> parameters() {
    return parameters;
  }

  List<Jdbc.@Nullable Row<?>> readers() {
    return readers;
  }
}
