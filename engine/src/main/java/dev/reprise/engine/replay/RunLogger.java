package dev.reprise.engine.replay;

import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/** Logs what workflow code logs, once: not again while the code catches up with its history. */
final class RunLogger implements System.Logger {
  private final System.Logger target;
  private final Stage stage;

  RunLogger(System.Logger target, Stage stage) {
    this.target = target;
    this.stage = stage;
  }

  @Override
  public String getName() {
    return target.getName();
  }

  @Override
  public boolean isLoggable(Level level) {
    return !stage.isReplaying() && !stage.cast().isDead() && target.isLoggable(level);
  }

  @Override
  public void log(
      Level level,
      @Nullable ResourceBundle bundle,
      @Nullable String message,
      @Nullable Throwable thrown) {
    if (isLoggable(level)) target.log(level, bundle, message, thrown);
  }

  @Override
  public void log(
      Level level,
      @Nullable ResourceBundle bundle,
      @Nullable String format,
      @Nullable Object... parameters) {
    if (isLoggable(level)) target.log(level, bundle, format, parameters);
  }
}
