package dev.reprise;

import org.jspecify.annotations.Nullable;

/** A signal of any name, as {@link Context#receiveAny()} gives it. */
public interface ReceivedSignal {

  /** The name it was sent under. */
  String name();

  /** Whether this is that signal. */
  default boolean is(Signal<?> signal) {
    return name().equals(signal.name());
  }

  /**
   * The value.
   *
   * @throws IllegalArgumentException if this is another signal
   */
  <T extends @Nullable Object> T value(Signal<T> signal);
}
