package dev.reprise.engine.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Threads that offer their processor to others. Tests may call native code, see the root POM. */
class GivingWayTest {
  private static final long LONG = TimeUnit.SECONDS.toNanos(30);
  private static final int OFTEN = 10_000;

  private final Machine machine = new RealMachine();

  @Test
  void a_platform_thread_always_can() {
    assertThat(machine.canGiveWay()).isTrue();
    machine.giveWay();
  }

  @Test
  void a_virtual_thread_can_when_it_has_asked_often() throws Exception {
    var ready =
        virtually(
            () -> {
              boolean atFirst = machine.canGiveWay();
              long end = System.nanoTime() + LONG;
              while (!machine.canGiveWay() && System.nanoTime() - end < 0) Thread.onSpinWait();
              machine.giveWay();
              return !atFirst && machine.canGiveWay();
            });

    assertThat(ready).isTrue();
  }

  @Test
  void a_virtual_thread_that_cannot_yet_does_not_watch() throws Exception {
    assertThat(virtually(() -> machine.watch(() -> false, LONG))).isFalse();
  }

  @Test
  void a_virtual_thread_watches_until_it_happens() throws Exception {
    var happened = new AtomicBoolean();
    var watch =
        virtually(
            () -> {
              while (!machine.canGiveWay()) Thread.onSpinWait();
              long end = System.nanoTime() + LONG;
              Thread.ofPlatform().start(() -> happened.set(true));
              // It may be interrupted by others who want the processor: then it is asked to again.
              while (System.nanoTime() - end < 0) {
                if (machine.watch(happened::get, TimeUnit.SECONDS.toNanos(1))) return true;
              }
              return false;
            });

    assertThat(watch).isTrue();
  }

  @Test
  void what_does_not_happen_is_not_watched_for_ever() throws Exception {
    var watch =
        virtually(
            () -> {
              while (!machine.canGiveWay()) Thread.onSpinWait();
              return machine.watch(() -> false, TimeUnit.MILLISECONDS.toNanos(1));
            });

    assertThat(watch).isFalse();
  }

  @Test
  void without_leave_nothing_native_is_called_and_nobody_is_warned() throws Exception {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var process =
        new ProcessBuilder(
                java, "-cp", System.getProperty("java.class.path"), WithoutLeave.class.getName())
            .redirectErrorStream(true)
            .start();

    var output = new String(process.getInputStream().readAllBytes());

    assertThat(process.waitFor()).isZero();
    assertThat(output.lines()).containsExactly("false");
  }

  /** What a JVM does that was not told {@code --enable-native-access}. */
  static final class WithoutLeave {
    public static void main(String[] arguments) throws Exception {
      var machine = new RealMachine();
      System.out.println(
          virtually(
              () -> {
                for (int i = 0; i < OFTEN; i++) machine.giveWay();
                return machine.canGiveWay();
              }));
    }
  }

  private static boolean virtually(Callable<Boolean> work) throws Exception {
    var task = new FutureTask<>(work);
    Thread.ofVirtual().start(task);
    return task.get(60, TimeUnit.SECONDS);
  }
}
