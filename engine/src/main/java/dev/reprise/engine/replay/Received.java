package dev.reprise.engine.replay;

import dev.reprise.ReceivedSignal;
import dev.reprise.Signal;
import dev.reprise.engine.codec.Values;
import dev.reprise.engine.event.Event.SignalReceived;
import org.jspecify.annotations.Nullable;

/** A signal as workflow code gets it: its value is read when it is asked for. */
record Received(SignalReceived signal, Values values) implements ReceivedSignal {

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
    return (T) values.decode(signal.value(), wanted.type(), "the signal '" + name() + "'");
  }
}
