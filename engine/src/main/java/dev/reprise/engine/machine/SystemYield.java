package dev.reprise.engine.machine;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Lets the carrier of a virtual thread offer its processor to other threads and processes. {@code
 * Thread.yield()} of a virtual thread does not: it only lets the next virtual thread have the
 * carrier, and that keeps the processor.
 *
 * <p>It is a function of the system, and to call one takes leave: without {@code
 * --enable-native-access} it is never called. To link it takes a tenth of a second and some memory,
 * so that is done aside, and not before somebody has asked for it often.
 */
final class SystemYield {
  private static final int OFTEN = 500;

  private final AtomicInteger asked = new AtomicInteger();
  private volatile boolean ready;

  /** Whether it can be called yet. */
  boolean isReady() {
    if (ready) return true;
    if (asked.get() < OFTEN && asked.incrementAndGet() == OFTEN) linkAside();
    return false;
  }

  private void linkAside() {
    if (!SystemYield.class.getModule().isNativeAccessEnabled()) return;
    Thread.ofPlatform()
        .name("reprise-link")
        .daemon()
        .start(() -> ready = Linked.SCHED_YIELD != null);
  }

  /** Comes back at once if nobody wants the processor. */
  void now() {
    var function = Linked.SCHED_YIELD;
    if (function == null) return;
    try {
      int _ = (int) function.invokeExact();
    } catch (Throwable impossible) {
      throw new IllegalStateException("sched_yield of the system failed", impossible);
    }
  }

  /** Apart, because a handle is fast only if it is final. */
  private static final class Linked {
    private static final @Nullable MethodHandle SCHED_YIELD = find();

    @SuppressWarnings("restricted") // only reached with leave
    private static @Nullable MethodHandle find() {
      try {
        var linker = Linker.nativeLinker();
        var type = FunctionDescriptor.of(ValueLayout.JAVA_INT);
        var address = linker.defaultLookup().find("sched_yield");
        return address.isPresent() ? linker.downcallHandle(address.get(), type) : null;
      } catch (UnsupportedOperationException noLinker) {
        return null;
      }
    }
  }
}
