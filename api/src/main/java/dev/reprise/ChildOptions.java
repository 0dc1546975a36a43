package dev.reprise;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a child workflow is started. Immutable; made by changing the defaults. */
public final class ChildOptions {
  private static final ChildOptions DEFAULTS = new ChildOptions(null, ParentClose.CANCEL, null);

  private final @Nullable String id;
  private final ParentClose onParentClose;
  private final @Nullable Duration timeout;

  private ChildOptions(@Nullable String id, ParentClose onParentClose, @Nullable Duration timeout) {
    this.id = id;
    this.onParentClose = onParentClose;
    this.timeout = timeout;
  }

  /** An id made from that of the parent, cancelled with the parent, no timeout. */
  public static ChildOptions defaults() {
    return DEFAULTS;
  }

  /** The workflow id of the child; must not be in use by another workflow. */
  public ChildOptions id(String id) {
    var checked = Texts.checked(id, "workflow id of a child");
    return new ChildOptions(checked, onParentClose, timeout);
  }

  /** What becomes of it when the parent closes first. */
  public ChildOptions onParentClose(ParentClose policy) {
    return new ChildOptions(id, Objects.requireNonNull(policy), timeout);
  }

  /** How long its run may take. */
  public ChildOptions timeout(Duration timeout) {
    return new ChildOptions(id, onParentClose, Durations.positive(timeout, "timeout"));
  }

  /** The explicit workflow id, if one was given. */
  public Optional<String> id() {
    return Optional.ofNullable(id);
  }

  /** What becomes of it when the parent closes first. */
  public ParentClose onParentClose() {
    return onParentClose;
  }

  /** The limit of its run, if there is one. */
  public Optional<Duration> timeout() {
    return Optional.ofNullable(timeout);
  }
}
