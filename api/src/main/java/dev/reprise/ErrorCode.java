package dev.reprise;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What can go wrong, one code each. {@code docs/reference/errors.md} has a section for each, which
 * the command {@code ./reprise explain} prints.
 */
public enum ErrorCode {
  R101("non-determinism: the code took another path than its history"),
  R102("unknown workflow"),
  R103("unregistered activity"),
  R104("duplicate id in one run"),
  R105("workflow id in use with other input"),
  R106("payload too large"),
  R107("value cannot be encoded"),
  R108("value cannot be decoded"),
  R109("not a bound method reference"),
  R110("workflow code does not come back"),
  R111("context used from a foreign thread"),
  R112("id or name not valid"),
  R113("no such workflow"),
  R114("workflow is closed"),
  R115("not a database for this engine"),
  R116("database schema of another version"),
  R117("database in use by another engine"),
  R118("database does not answer"),
  R119("engine is closed"),
  R120("registration not valid"),
  R121("transition refused by the database"),
  R122("fenced: another engine took over"),
  R123("no answer in time"),
  R124("quarantined: the run keeps crashing its engine"),
  R125("child workflow id in use"),
  R126("update refused"),
  R127("nobody answers that query or update"),
  R128("query tried to change something"),
  R129("filter not valid"),
  R130("no such event to fork at"),
  R131("held: the code of the workflow has changed"),
  R132("compensation failed"),
  R133("no such task"),
  R134("stale attempt"),
  R135("queue not valid"),
  R136("result does not fit the activity"),
  R137("only for queued activities"),
  R138("not for queued activities"),
  R140("proxy shares one database connection among several"),
  R141("database refuses until its operator acts"),
  R142("too many calls wait for the database"),
  R143("engine begins anew after an error"),
  R145("stored data is damaged"),
  R146("signal without the value that it takes"),
  R152("two schemas have the tables of Reprise"),
  R153("database user may not create the tables");

  /** The system property with the address of the page of all errors, where a team keeps it. */
  public static final String DOCS = "reprise.errors";

  private static final Pattern REFERENCE = Pattern.compile(" \\(see [^()]*\\)$");

  private final String title;

  ErrorCode(String title) {
    this.title = title;
  }

  /** The one with which the text of an error begins. */
  static Optional<ErrorCode> of(String text) {
    return Stream.of(values()).filter(code -> text.startsWith(code.name() + " ")).findFirst();
  }

  /** In a few words. */
  public String title() {
    return title;
  }

  /** Whether the same call may well succeed later, without any change. */
  public boolean isRetryable() {
    return switch (this) {
      case R118, R122, R123, R142, R143 -> true;
      default -> false;
    };
  }

  /**
   * Where the documentation has more: the command that prints it, or its address if the system
   * property {@value #DOCS} has that of the page with all errors.
   */
  public String docs() {
    var page = System.getProperty(DOCS, "");
    if (page.isBlank()) return "./reprise explain " + name();
    return page + "#" + name().toLowerCase(Locale.ROOT);
  }

  /** The message of an error without the place at its end where the documentation has more. */
  public static String withoutDocs(String message) {
    return REFERENCE.matcher(message).replaceFirst("");
  }
}
