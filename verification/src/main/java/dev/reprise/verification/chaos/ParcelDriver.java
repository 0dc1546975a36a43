package dev.reprise.verification.chaos;

import dev.reprise.Client;
import dev.reprise.ErrorCode;
import dev.reprise.RepriseException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Activities on queues, and answers to them from outside. */
final class ParcelDriver {
  private final Client client;
  private final Path ledger;
  private final Queue<String> rounds = new ConcurrentLinkedQueue<>();

  ParcelDriver(Client client, Path ledger) {
    this.client = client;
    this.ledger = ledger;
  }

  /** A round has ended: what it asked for must have been done. */
  void ended(String id) {
    rounds.add(id);
  }

  /** Answers the question of a workflow, by the latest token; whether it is answered. */
  boolean answer(String id, int with) {
    var token = latestToken(id);
    if (token == null) return false;
    try {
      client.complete(token, with);
      return true;
    } catch (RepriseException e) {
      if (e.code() == ErrorCode.R134) return false; // it was handed out again: there is another
      throw e;
    }
  }

  private @Nullable String latestToken(String id) {
    var tokens = lines().stream().filter(line -> line.startsWith(id + " token ")).toList();
    return tokens.isEmpty() ? null : tokens.getLast().split(" ")[2];
  }

  private List<String> lines() {
    try {
      return Ledger.read(ledger);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether nothing is left on the queue. */
  boolean isDone() {
    var queue = client.queue(Parcels.QUEUE);
    return queue.ready() + queue.delayed() + queue.running() == 0;
  }

  /** What should have been done, and was not. */
  List<String> problems() {
    var problems = new ArrayList<String>();
    var done = lines().stream().collect(Collectors.groupingBy(line -> line.split(" ")[0]));
    for (var id : rounds) {
      var mine = done.getOrDefault(id, List.of());
      var expected = new ArrayList<>(List.of(id + " sweep"));
      IntStream.rangeClosed(1, Parcels.COUNT).forEach(i -> expected.add(id + " carry " + i));
      for (var line : expected) if (!mine.contains(line)) problems.add("never done: " + line);
    }
    return problems;
  }
}
