package dev.reprise.verification.simulation;

import java.lang.reflect.Constructor;
import java.util.concurrent.Executor;

/**
 * Virtual threads that run where and when an executor says. The JDK has this for its own tests
 * only: it needs {@code --add-opens java.base/java.lang=ALL-UNNAMED}.
 */
final class SimulatedThreads {
  private static final Constructor<?> BUILDER = builder();

  private SimulatedThreads() {}

  private static Constructor<?> builder() {
    try {
      var type = Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder");
      var constructor = type.getDeclaredConstructor(Executor.class);
      constructor.setAccessible(true);
      return constructor;
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new IllegalStateException(
          "the simulation needs the JVM option --add-opens java.base/java.lang=ALL-UNNAMED, and a"
              + " JDK whose virtual threads can be given a scheduler",
          e);
    }
  }

  static Thread unstarted(Executor scheduler, String name, Runnable work) {
    try {
      return ((Thread.Builder.OfVirtual) BUILDER.newInstance(scheduler)).name(name).unstarted(work);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
