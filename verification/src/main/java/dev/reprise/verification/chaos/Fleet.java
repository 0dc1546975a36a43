package dev.reprise.verification.chaos;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;

/** The engine processes of a round, each of which is killed and frozen one fault at a time. */
final class Fleet implements AutoCloseable {
  private static final List<String> QUICK_START =
      List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  private final Processes processes = new Processes();
  private final List<Place> places = new ArrayList<>();
  private final Queue<Freeze> freezes = new ConcurrentLinkedQueue<>();
  private final String[] arguments;

  /** Where one engine is; the next one takes the place of a killed one. */
  private static final class Place {
    final ReentrantLock lock = new ReentrantLock();
    final Path output;
    final List<String> options;
    Processes.Child child;

    Place(Path output, List<String> options, Processes.Child child) {
      this.output = output;
      this.options = options;
      this.child = child;
    }
  }

  Fleet(Setup setup, Path folder, String... arguments) throws IOException {
    this.arguments = arguments;
    for (int number = 0; number < setup.engines(); number++) {
      var options = new ArrayList<>(QUICK_START);
      var shift = setup.clockShift(number);
      if (!shift.isZero()) {
        options.addAll(ShiftedClock.options(folder.resolve("clock-" + number), shift));
      }
      var output = folder.resolve("engine-" + number + ".log");
      places.add(new Place(output, options, launch(output, options)));
    }
    try {
      for (var place : places) place.child.awaitOutput(EngineProcess.READY);
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  int size() {
    return places.size();
  }

  List<Freeze> freezes() {
    return List.copyOf(freezes);
  }

  /** {@code kill -9}, and a new one at once; returns when that is ready. */
  void kill(int number) {
    var place = places.get(number);
    place.lock.lock();
    try {
      place.child.kill();
      place.child = launch(place.output, place.options);
      place.child.awaitOutput(EngineProcess.READY);
    } finally {
      place.lock.unlock();
    }
  }

  /** Lets it stand still for so long. */
  void freeze(int number, Duration time) throws InterruptedException {
    var place = places.get(number);
    place.lock.lock();
    try {
      var from = System.nanoTime();
      place.child.freeze();
      Thread.sleep(time);
      place.child.thaw();
      freezes.add(new Freeze(place.child.pid(), from, System.nanoTime()));
    } finally {
      place.lock.unlock();
    }
  }

  /** Closes all in good order, and says which of them had ended by themselves. */
  List<String> stop() {
    var problems = new ArrayList<String>();
    for (var place : places) {
      if (!place.child.isAlive()) problems.add("an engine ended:\n" + place.child.output());
      else place.child.stop();
    }
    return problems;
  }

  private Processes.Child launch(Path output, List<String> options) {
    return processes.start(output, options, EngineProcess.class, arguments);
  }

  @Override
  public void close() {
    processes.close();
  }
}
