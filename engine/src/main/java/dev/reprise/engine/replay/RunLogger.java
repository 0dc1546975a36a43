package dev.reprise.engine.replay;

import dev.reprise.Texts;
import dev.reprise.engine.store.RunRow;
import java.text.MessageFormat;
import java.util.MissingResourceException;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs what workflow code logs, once: not again while the code catches up with its history. It goes
 * where the engine's own log goes, with the ids of the run.
 */
final class RunLogger implements System.Logger {
  private final Logger target;
  private final RunRow row;
  private final Stage stage;

  /** Logs under the name of the workflow. */
  RunLogger(RunRow row, Stage stage) {
    this(LoggerFactory.getLogger(row.workflow()), row, stage);
  }

  RunLogger(Logger target, RunRow row, Stage stage) {
    this.target = target;
    this.row = row;
    this.stage = stage;
  }

  @Override
  public String getName() {
    return target.getName();
  }

  @Override
  public boolean isLoggable(Level level) {
    var as = levelOf(level);
    return as != null
        && !stage.isReplaying()
        && !stage.cast().isDead()
        && target.isEnabledForLevel(as);
  }

  private static org.slf4j.event.@Nullable Level levelOf(Level level) {
    return switch (level) {
      case ALL, TRACE -> org.slf4j.event.Level.TRACE;
      case DEBUG -> org.slf4j.event.Level.DEBUG;
      case INFO -> org.slf4j.event.Level.INFO;
      case WARNING -> org.slf4j.event.Level.WARN;
      case ERROR -> org.slf4j.event.Level.ERROR;
      case OFF -> null;
    };
  }

  @Override
  public void log(
      Level level,
      @Nullable ResourceBundle bundle,
      @Nullable String message,
      @Nullable Throwable thrown) {
    log(level, thrown, localized(bundle, message));
  }

  @Override
  public void log(
      Level level,
      @Nullable ResourceBundle bundle,
      @Nullable String format,
      @Nullable Object... parameters) {
    if (isLoggable(level)) log(level, null, formatted(localized(bundle, format), parameters));
  }

  private void log(Level level, @Nullable Throwable thrown, String message) {
    var as = levelOf(level);
    if (as == null || !isLoggable(level)) return;
    target
        .atLevel(as)
        .addKeyValue("workflow.id", Texts.shown(row.workflowId()))
        .addKeyValue("run.id", row.runId())
        .setCause(thrown == null ? null : Texts.shown(thrown))
        .log("{}", message);
  }

  private static String localized(@Nullable ResourceBundle bundle, @Nullable String key) {
    var text = String.valueOf(key);
    try {
      return bundle == null || key == null ? text : bundle.getString(key);
    } catch (MissingResourceException | ClassCastException notThere) {
      return text;
    }
  }

  /** As {@link System.Logger} says: by {@link MessageFormat}, and a bad format as it is. */
  private static String formatted(String format, @Nullable Object @Nullable [] parameters) {
    if (parameters == null || parameters.length == 0) return format;
    try {
      return MessageFormat.format(format, parameters);
    } catch (IllegalArgumentException noFormat) {
      return format;
    }
  }
}
