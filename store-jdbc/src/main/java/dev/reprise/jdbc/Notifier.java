package dev.reprise.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.reprise.Texts;
import dev.reprise.engine.machine.Machine;
import dev.reprise.engine.machine.Survival;
import dev.reprise.engine.store.Wakeups;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hints by notifications of PostgreSQL, sent by a thread of its own: all that gathers in a short
 * while goes in one, because each is a transaction, and those that notify wait for each other.
 *
 * <p>A notification is a list of words: who sends it, and then the keys of runs for which inputs
 * wait, {@code due}, or names of queues after {@code on:}. Other words are left alone.
 */
final class Notifier implements Wakeups, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Notifier.class);
  private static final String DUE = "due";
  private static final String ON = "on:";
  private static final long PAUSE_NANOS = Duration.ofMillis(2).toNanos();
  private static final long CLOSE_MILLIS = 500;
  private static final int MAX_LENGTH = 7_000; // PostgreSQL takes less than 8,000 bytes
  private static final int MAX_PENDING = 20_000; // more hints are as good as lost

  /** A hint may be lost, so nobody waits for the disk. */
  static final String NOTIFY =
      """
      SELECT 1
       WHERE set_config('synchronous_commit', 'off', true) IS NOT NULL
         AND pg_notify(?, ?) IS NOT NULL
      """;

  private final String channel;
  private final Consumer<String> sender;
  private final String self = UUID.randomUUID().toString();
  private volatile @Nullable Listener listener; // of the node that joined last
  private Set<String> pending = new HashSet<>();
  private @Nullable Thread thread;
  private boolean closed;

  /**
   * @param channel on which hints are heard
   * @param sender notifies all who listen
   */
  Notifier(String channel, Consumer<String> sender) {
    this.channel = channel;
    this.sender = sender;
  }

  /** What a connection executes to hear the hints. */
  String listen() {
    return "LISTEN " + SchemaPlace.quoted(channel);
  }

  @Override
  public void onHint(Listener listener) {
    this.listener = listener;
  }

  @Override
  public void inputsFor(long run) {
    add(Long.toString(run));
  }

  @Override
  public void tasksOn(String queue) {
    add(ON + URLEncoder.encode(queue, UTF_8)); // which has no spaces
  }

  @Override
  public void due() {
    add(DUE);
  }

  private synchronized void add(String word) {
    if (closed || pending.size() >= MAX_PENDING) return;
    pending.add(word);
    if (thread == null)
      thread =
          Thread.ofPlatform()
              .daemon()
              .name("reprise-notify")
              .start(Survival.looping(Machine.REAL, this::run));
    notifyAll();
  }

  // ---- sending --------------------------------------------------------------------------------

  private void run() {
    boolean more = true;
    while (more) {
      try {
        more = sendNext();
      } catch (Error full) { // what was to be sent is lost, which hints may be
        Survival.of(full);
        Survival.pause(Machine.REAL);
      }
    }
  }

  /** False when there will be nothing more. */
  private boolean sendNext() {
    var words = take();
    if (words.isEmpty()) return false;
    for (var payload : payloads(words)) send(payload);
    pause();
    return true;
  }

  /** Waits for something; empty when there will be nothing more. */
  private synchronized Set<String> take() {
    try {
      while (pending.isEmpty() && !closed) wait();
    } catch (InterruptedException interrupted) {
      return Set.of();
    }
    var next = new HashSet<String>(); // first: without memory for it nothing is taken
    var taken = pending;
    pending = next;
    return taken;
  }

  private synchronized void pause() {
    long end = System.nanoTime() + PAUSE_NANOS;
    try {
      for (long left = PAUSE_NANOS; left > 0 && !closed; left = end - System.nanoTime()) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  List<String> payloads(Set<String> words) {
    var payloads = new ArrayList<String>();
    var payload = new StringBuilder(self);
    for (var word : words) {
      if (payload.length() + 1 + word.length() > MAX_LENGTH) {
        payloads.add(payload.toString());
        payload = new StringBuilder(self);
      }
      payload.append(' ').append(word);
    }
    payloads.add(payload.toString());
    return payloads;
  }

  private void send(String payload) {
    try {
      sender.accept(payload);
    } catch (RuntimeException lost) {
      LOG.debug("a hint is lost", Texts.shown(lost));
    }
  }

  // ---- receiving ------------------------------------------------------------------------------

  /** Nobody need be told what he has said himself. */
  void deliver(String payload) {
    var words = List.of(payload.split(" "));
    if (words.getFirst().equals(self)) return;
    var runs = new HashSet<Long>();
    for (var word : words) if (word.matches("\\d{1,18}")) runs.add(Long.valueOf(word));
    if (!runs.isEmpty()) tell(listener -> listener.inputsFor(runs));
    if (words.contains(DUE)) tell(Listener::due);
    var queues = new HashSet<String>();
    for (var word : words) {
      if (word.startsWith(ON)) queues.add(URLDecoder.decode(word.substring(ON.length()), UTF_8));
    }
    if (!queues.isEmpty()) tell(listener -> listener.tasksOn(queues));
  }

  void missed() {
    tell(Listener::missed);
  }

  private void tell(Consumer<Listener> what) {
    var told = listener;
    if (told == null) return;
    try {
      what.accept(told);
    } catch (RuntimeException failure) {
      LOG.warn("a hint was not taken", Texts.shown(failure));
    }
  }

  /** Sends what is left, if that is quick: the others can go on with what this node leaves. */
  @Override
  public void close() {
    var sending = end();
    try {
      if (sending != null) sending.join(CLOSE_MILLIS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized @Nullable Thread end() {
    closed = true;
    notifyAll();
    return thread;
  }
}
