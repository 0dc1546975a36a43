package dev.reprise.jdbc;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** Statements that go to the database together, with their parameters and who reads the answers. */
final class Pipeline {
  private static final ConcurrentMap<List<String>, String> TEXTS = new ConcurrentHashMap<>();

  private final List<String> statements = new ArrayList<>();
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
    statements.add(statement);
    readers.add(reader);
    for (var value : values) add(value);
  }

  /** Events and the fence stand for several parameters each. */
  private void add(@Nullable Object value) {
    switch (value) {
      case EventArrays events -> Collections.addAll(parameters, events.columns());
      case Fence(var node, var before, var batch) ->
          Collections.addAll(parameters, node, before, batch);
      case null, default -> parameters.add(value);
    }
  }

  boolean isEmpty() {
    return readers.isEmpty();
  }

  /** There are few different ones, so each text is made once. */
  String sql() {
    return TEXTS.computeIfAbsent(List.copyOf(statements), all -> String.join(";\n", all));
  }

  List<@Nullable Object> parameters() {
    return parameters;
  }

  List<Jdbc.@Nullable Row<?>> readers() {
    return readers;
  }
}
