package dev.reprise.jdbc;

import java.util.List;

/**
 * A statement or a part of one.
 *
 * @param text made of the words of this package only: what users say is in the parameters
 * @param parameters for the question marks of the text, in order
 */
record Sql(String text, List<Object> parameters) {
  Sql {
    parameters = List.copyOf(parameters);
  }

  Object[] values() {
    return parameters.toArray();
  }
}
