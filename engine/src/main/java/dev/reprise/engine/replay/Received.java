package dev.reprise.engine.replay;

import dev.reprise.ErrorCode;
import dev.reprise.ReceivedSignal;
import dev.reprise.RepriseException;
import dev.reprise.Signal;
import dev.reprise.engine.codec.Values;
import dev.reprise.engine.event.Event.SignalReceived;
import dev.reprise.engine.event.Payload;
import org.jspecify.annotations.Nullable;

/**
 * A signal as workflow code gets it: its value is read when it is asked for.
 *
 * @param isNew whether it may not be as its sender meant it; else it was taken before
 */
record Received(SignalReceived signal, Values values, boolean isNew) implements ReceivedSignal {

  @Override
  public String name() {
    return signal.signal();
  }

  @Override
  @SuppressWarnings({"unchecked", "NullAway"}) // the codec gives what the signal's type says
  public <T extends @Nullable Object> T value(Signal<T> wanted) {
    if (!is(wanted)) {
      throw new IllegalArgumentException(
          "this is signal '%s', not '%s'".formatted(name(), wanted.name()));
    }
    return (T) (isNew ? checked(wanted, signal.value(), values) : read(wanted));
  }

  private @Nullable Object read(Signal<?> wanted) {
    return values.decode(signal.value(), wanted.type(), what(wanted));
  }

  /** The value, which is not null. */
  <T> T present(Signal<T> wanted) {
    var value = value(wanted);
    if (value == null) throw missing(wanted);
    return value;
  }

  /**
   * The value of a signal that the code has not been given before.
   *
   * @throws RepriseException {@code R108} if it cannot be read, or has members that the code does
   *     not know; {@code R146} if there is none
   */
  static @Nullable Object checked(Signal<?> wanted, Payload payload, Values values) {
    var value = values.receive(payload, wanted.type(), what(wanted));
    if (value == null && wanted.hasValue()) throw missing(wanted);
    return value;
  }

  private static String what(Signal<?> signal) {
    return "the signal '" + signal.name() + "'";
  }

  /** A signal was sent, or is to be sent, without the value that its receiver wants. */
  static RepriseException missing(Signal<?> signal) {
    return new RepriseException(
        ErrorCode.R146,
        "the signal '%s' takes a %s, and there is no value: send it with one, or declare it as"
                .formatted(signal.name(), signal.type().getTypeName())
            + " Signal.of(\"%s\")".formatted(signal.name()));
  }
}
