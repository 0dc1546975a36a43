package dev.reprise.testkit;

import dev.reprise.engine.node.Motion;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Moves the time of a test: only when nothing else can happen, and only to the moment at which the
 * next thing does. So a workflow never finds that the time has passed it by.
 */
final class Clockwork {
  private static final Duration LOOK = Duration.ofMillis(100); // at an activity that goes on and on
  private static final long PAUSE = 2_000; // nanoseconds; each is a little longer
  private static final long LONGEST_PAUSE = 500_000;

  private final VirtualTime time;
  private final Appointments appointments;
  private final Lives lives;
  private final List<Throwable> troubles;
  private final ReentrantLock moving = new ReentrantLock();
  private volatile boolean skips = true;
  private volatile Duration patience = Duration.ofSeconds(30);

  /**
   * @param troubles takes what goes wrong in the actions of the appointments
   */
  Clockwork(VirtualTime time, Appointments appointments, Lives lives, List<Throwable> troubles) {
    this.time = time;
    this.appointments = appointments;
    this.lives = lives;
    this.troubles = troubles;
  }

  void autoSkip(boolean skip) {
    skips = skip;
  }

  void patience(Duration limit) {
    patience = limit;
  }

  // ---- quiet ------------------------------------------------------------------------------------

  /** What the engine does beside activities that only wait for time; null while it is busy. */
  private @Nullable Motion look() {
    var life = lives.now();
    if (life == null) return new Motion(false, 0, Optional.empty());
    if (life.hasCrashed()) {
      lives.alive();
      return null;
    }
    int held = appointments.held();
    var motion = life.engine().motion();
    boolean changed = held != appointments.held() || life.hasCrashed() || !life.equals(lives.now());
    if (motion.busy() || changed || motion.activities() < held) return null;
    return new Motion(false, motion.activities() - held, motion.nextTimer());
  }

  /** Waits until nothing can happen any more before the time moves or the test calls. */
  Quiet awaitQuiet() {
    return Objects.requireNonNull(awaitQuiet(() -> false));
  }

  /** The same, or until it is over: then null. */
  private @Nullable Quiet awaitQuiet(BooleanSupplier over) {
    var deadline = new Deadline();
    while (!over.getAsBoolean()) {
      var quiet = quiet();
      if (quiet != null) return quiet;
      deadline.pause(this::describeMotion);
    }
    return null;
  }

  private @Nullable Quiet quiet() {
    var motion = look();
    if (motion == null || motion.activities() > 0) return null;
    var due = Stream.of(motion.nextTimer(), appointments.next()).flatMap(Optional::stream);
    return new Quiet(due.min(Instant::compareTo).orElse(null));
  }

  /**
   * A moment at which everything waits.
   *
   * @param next when the next timer or action is due, or null
   */
  record Quiet(@Nullable Instant next) {
    private boolean endsBy(Instant then) {
      return next != null && !next.isAfter(then);
    }
  }

  /** Waits until nothing moves but activities that take their time. */
  void settle() {
    if (Life.isInActivity()) return; // which would wait for itself
    var deadline = new Deadline();
    long since = System.nanoTime();
    for (; ; ) {
      var motion = look();
      if (motion == null) since = System.nanoTime();
      else if (motion.activities() == 0 || System.nanoTime() - since > LOOK.toNanos()) return;
      deadline.pause(this::describeMotion);
    }
  }

  /** How long a test waits in real time, and how often it looks. */
  private final class Deadline {
    private final Duration limit = patience;
    private final long end = System.nanoTime() + limit.toNanos();
    private int looks;

    private void pause(Supplier<String> why) {
      if (Thread.currentThread().isInterrupted()) {
        throw new IllegalStateException("interrupted while " + why.get());
      }
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("after %s of real time %s".formatted(text(limit), why.get()));
      }
      LockSupport.parkNanos(Math.min(LONGEST_PAUSE, ++looks * PAUSE));
    }
  }

  private static String text(Duration limit) {
    return limit.toMillis() + " ms";
  }

  private String describeMotion() {
    var life = lives.now();
    var calls =
        life == null
            ? Stream.<Call>empty()
            : life.running().stream().filter(call -> !appointments.holds(call.thread()));
    var texts = calls.map(Clockwork::describe).collect(Collectors.joining("\n"));
    return texts.isEmpty()
        ? "the engine is still busy: code of a workflow runs without coming back to its context"
        : "activities still run:\n"
            + texts
            + "\n(an activity that is slow in virtual time: call.takes(Duration) in a replacement;"
            + "\n in real time: engine.patience(Duration))";
  }

  private static String describe(Call call) {
    return Stream.of(call.thread().getStackTrace())
        .limit(8)
        .map(frame -> "\n      at " + frame)
        .collect(Collectors.joining("", "  " + call, ""));
  }

  // ---- time -------------------------------------------------------------------------------------

  /** Moves on to then, from one thing that is due to the next. */
  void advanceTo(Instant then) {
    moving.lock();
    try {
      for (var quiet = awaitQuiet(); quiet.endsBy(then); quiet = awaitQuiet()) {
        moveTo(Objects.requireNonNull(quiet.next));
      }
      moveTo(then);
      awaitQuiet();
    } finally {
      moving.unlock();
    }
  }

  /** Timers first, then what the test wants at that time. */
  private void moveTo(Instant then) {
    time.advanceTo(then);
    for (var action = appointments.take(); action != null; action = appointments.take()) {
      awaitQuiet();
      try {
        action.run();
      } catch (RuntimeException | Error e) {
        troubles.add(e);
        throw e;
      } catch (Exception e) {
        troubles.add(e);
        throw new AssertionError("what was to happen at %s failed: %s".formatted(then, e), e);
      }
    }
  }

  /** How a wait ended. */
  enum Passed {
    /** What was waited for came. */
    OVER,
    /** The limit came first. */
    LIMIT,
    /** Everything waits, and nothing is due, ever. */
    NEVER
  }

  /** Lets time pass until it is over, at most until then. */
  Passed until(BooleanSupplier over, @Nullable Instant limit) {
    for (; ; ) {
      if (!skips) return await(over, limit);
      if (awaitQuiet(over) == null) return Passed.OVER;
      moving.lock();
      try {
        var quiet = quiet();
        if (over.getAsBoolean()) return Passed.OVER;
        if (quiet == null) continue; // another thread has moved the time
        if (limit != null && !quiet.endsBy(limit)) {
          moveTo(limit);
          return awaitQuiet(over) == null || over.getAsBoolean() ? Passed.OVER : Passed.LIMIT;
        }
        if (quiet.next == null) return Passed.NEVER;
        moveTo(quiet.next);
      } finally {
        moving.unlock();
      }
    }
  }

  /** Waits while others move the time. */
  private Passed await(BooleanSupplier over, @Nullable Instant limit) {
    var deadline = new Deadline();
    while (!over.getAsBoolean()) {
      if (limit != null && !time.now().isBefore(limit)) return Passed.LIMIT;
      deadline.pause(
          () -> "it still waits: time does not skip (autoSkip is off), and nobody moved it");
    }
    return Passed.OVER;
  }
}
