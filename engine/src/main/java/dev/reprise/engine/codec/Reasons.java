package dev.reprise.engine.codec;

import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/** Says what Jackson refused, and where, without its notes to itself. */
final class Reasons {
  private Reasons() {}

  static Misfit of(RuntimeException thrown) {
    if (thrown instanceof Misfit misfit) return misfit;
    if (!(thrown instanceof JacksonException refused)) {
      return new Misfit("", String.valueOf(thrown.getMessage()), thrown);
    }
    if (refused.getCause() instanceof Misfit misfit) return misfit;
    return new Misfit(path(refused.getPath()), reason(refused), refused);
  }

  private static String reason(JacksonException refused) {
    if (refused instanceof UnrecognizedPropertyException unknown) {
      var known =
          unknown.getKnownPropertyIds() == null
              ? ""
              : unknown.getKnownPropertyIds().stream()
                  .map(String::valueOf)
                  .sorted()
                  .collect(Collectors.joining(", "));
      return "is not a member of %s, which has [%s]"
          .formatted(unknown.getReferringClass().getSimpleName(), known);
    }
    return String.valueOf(refused.getOriginalMessage());
  }

  private static String path(List<JacksonException.Reference> references) {
    var path = new StringBuilder();
    for (var reference : references) {
      if (reference.getPropertyName() == null) {
        path.append('[').append(Math.max(0, reference.getIndex())).append(']');
      } else {
        if (!path.isEmpty()) path.append('.');
        path.append(reference.getPropertyName());
      }
    }
    return path.toString();
  }
}
