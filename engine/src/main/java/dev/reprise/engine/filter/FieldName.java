package dev.reprise.engine.filter;

import dev.reprise.RepriseException;
import dev.reprise.engine.filter.Field.Attribute;
import dev.reprise.engine.filter.Field.Column;
import dev.reprise.engine.filter.Field.Input;
import dev.reprise.engine.filter.Field.Key;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Finds the field that a word stands for. */
record FieldName(String filter, Token token) {
  private static final String ALL =
      Arrays.stream(Column.values()).map(Column::label).collect(Collectors.joining(", "))
          + ", status, waitsFor, attribute.NAME, input.PATH";

  Field field() {
    var word = token.text();
    if (word.equalsIgnoreCase("attribute")) return attribute();
    if (word.equalsIgnoreCase("input")) return new Input(token.path());
    for (var column : Column.values()) {
      if (!column.label().equalsIgnoreCase(word)) continue;
      if (token.path().isEmpty()) return column;
      throw wrong("%s has nothing inside: only attribute and input do".formatted(column.label()));
    }
    throw wrong("there is no field '%s'; there are %s".formatted(word, ALL));
  }

  private Attribute attribute() {
    if (token.path().size() == 1 && token.path().getFirst() instanceof Key(var name)) {
      return new Attribute(name);
    }
    throw wrong("an attribute is written attribute.NAME");
  }

  private RepriseException wrong(String what) {
    return Mistake.at(filter, token.at(), what);
  }
}
