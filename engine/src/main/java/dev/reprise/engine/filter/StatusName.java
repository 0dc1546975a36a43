package dev.reprise.engine.filter;

import dev.reprise.Status;
import dev.reprise.engine.filter.Token.Kind;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Words for statuses: each one by its name, and some of them together. */
final class StatusName {
  /** For messages. */
  static final String ALL =
      Arrays.stream(Status.values()).map(Status::name).collect(Collectors.joining(", "))
          + ", or open, closed, active, held";

  private StatusName() {}

  /** What a word stands for; nothing if it is no status. */
  static Set<Status> statuses(Token token) {
    if (token.kind() != Kind.WORD && token.kind() != Kind.TEXT) return Set.of();
    if (!token.path().isEmpty()) return Set.of();
    return switch (token.text().toLowerCase(Locale.ROOT)) {
      case "open" -> those(status -> !status.isClosed());
      case "closed" -> those(Status::isClosed);
      case "active" -> those(Status::isActive);
      case "held" -> those(Status::isHeld);
      default -> those(status -> status.name().equalsIgnoreCase(token.text()));
    };
  }

  private static Set<Status> those(Predicate<Status> wanted) {
    return Arrays.stream(Status.values())
        .filter(wanted)
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Status.class)));
  }
}
