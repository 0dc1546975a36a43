package dev.reprise;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a workflow is started. Immutable; made by changing the defaults. */
public final class StartOptions {
  private static final StartOptions DEFAULTS = new StartOptions(null, Map.of());

  private final @Nullable Duration timeout;
  private final Map<String, Object> attributes;

  private StartOptions(@Nullable Duration timeout, Map<String, Object> attributes) {
    this.timeout = timeout;
    this.attributes = attributes;
  }

  /** The timeout that the workflow itself has, no attributes. */
  public static StartOptions defaults() {
    return DEFAULTS;
  }

  /** How long the run may take, whatever the workflow says. */
  public StartOptions timeout(Duration timeout) {
    if (!timeout.isPositive()) throw new IllegalArgumentException("timeout must be positive");
    return new StartOptions(timeout, attributes);
  }

  /**
   * An attribute by which the run can be found.
   *
   * @param value a {@link String}, {@link Number} or {@link Boolean}
   */
  public StartOptions attribute(String name, Object value) {
    var changed = new LinkedHashMap<>(attributes);
    changed.put(Attributes.checkedName(name), Attributes.checked(name, value));
    return new StartOptions(timeout, Map.copyOf(changed));
  }

  /** The limit of the run, if one was given. */
  public Optional<Duration> timeout() {
    return Optional.ofNullable(timeout);
  }

  /** What the run can be found by. */
  public Map<String, Object> attributes() {
    return attributes;
  }
}
