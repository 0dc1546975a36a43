package dev.reprise.jdbc;

import static dev.reprise.testkit.contract.Rows.NOON;
import static dev.reprise.testkit.contract.Rows.delivery;
import static dev.reprise.testkit.contract.Rows.event;
import static dev.reprise.testkit.contract.Rows.signal;

import dev.reprise.Status;
import dev.reprise.engine.store.EventRow;
import dev.reprise.engine.store.InputRow;
import dev.reprise.engine.store.RunRow;
import dev.reprise.engine.store.Store;
import dev.reprise.engine.store.Transition;
import dev.reprise.engine.store.Transition.Append;
import dev.reprise.engine.store.Transition.Delivery;
import dev.reprise.engine.store.Transition.RunChange;
import dev.reprise.engine.store.Transition.Start;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

/** Batches of a few runs of a few workflow ids, of which many want the same at once. */
final class RandomBatches {
  static final List<String> IDS = IntStream.range(0, 5).mapToObj(i -> "order-" + i).toList();

  private final Random random;
  private final UUID node;
  private final Store model;
  private final List<RunRow> runs = new ArrayList<>();
  private int counter;

  RandomBatches(long seed, UUID node, Store model) {
    this.random = new Random(seed);
    this.node = node;
    this.model = model;
  }

  List<Long> runs() {
    return runs.stream().map(RunRow::key).toList();
  }

  /** A batch that names the inputs it takes in by their messages: each store numbers its own. */
  record Sketch(List<Transition> drafts, Map<Integer, List<String>> consumed) {

    List<Transition> transitions(Store store) {
      var transitions = new ArrayList<Transition>();
      for (int i = 0; i < drafts.size(); i++) {
        transitions.add(
            drafts.get(i) instanceof Append append
                ? with(append, store, consumed.getOrDefault(i, List.of()))
                : drafts.get(i));
      }
      return transitions;
    }

    private static Append with(Append append, Store store, List<String> messages) {
      var ids =
          store.inputs(append.run()).stream()
              .filter(input -> messages.contains(input.message()))
              .map(InputRow::id)
              .toList();
      return new Append(
          append.run(),
          append.events(),
          ids,
          append.change(),
          append.deliveries(),
          append.attributes());
    }
  }

  Sketch next() {
    var drafts = new ArrayList<Transition>();
    var consumed = new HashMap<Integer, List<String>>();
    var written = new HashSet<Long>();
    int size = 1 + random.nextInt(6);
    for (int i = 0; i < size; i++) {
      switch (runs.isEmpty() ? 0 : random.nextInt(10)) {
        case 0, 1 -> drafts.add(start());
        case 2, 3 -> drafts.add(signal(some().key(), "1", "m-" + random.nextInt(6)));
        default -> {
          var run = some();
          if (random.nextInt(3) > 0) consumed.put(i, waiting(run.key()));
          drafts.add(append(run, written));
        }
      }
    }
    return new Sketch(drafts, consumed);
  }

  /** Mostly open ones; else one of the newest, which may be closed or begin in the same batch. */
  private RunRow some() {
    var open = IDS.stream().flatMap(id -> model.find(id).stream());
    var choice = open.filter(row -> !row.status().isClosed()).toList();
    if (!choice.isEmpty() && random.nextInt(5) > 0) {
      return choice.get(random.nextInt(choice.size()));
    }
    int back = Math.min(runs.size(), 1 + random.nextInt(8));
    return runs.get(runs.size() - back);
  }

  private List<String> waiting(long run) {
    var messages = model.inputs(run).stream().map(InputRow::message).toList();
    return random.nextInt(4) == 0 ? messages.subList(0, messages.size() / 2) : messages;
  }

  private Start start() {
    var run = run(IDS.get(random.nextInt(IDS.size())));
    return new Start(run, random.nextBoolean() ? List.of(event(1)) : List.of(event(1), event(2)));
  }

  private RunRow run(String workflowId) {
    var run =
        new RunRow(
            ++counter,
            new UUID(7, counter),
            workflowId,
            "Checkout",
            Status.RUNNING,
            node,
            NOON,
            NOON,
            null,
            null,
            0,
            random.nextBoolean() ? "parent" : null,
            random.nextBoolean() ? "{\"n\":%d}".formatted(counter) : null);
    runs.add(run);
    return run;
  }

  /** Of a run that is written to twice in a batch, only the first has events: nobody knows more. */
  private Append append(RunRow run, Set<Long> written) {
    var events = new ArrayList<EventRow>();
    int size = model.history(run.key(), 1, 1_000).size();
    if (size > 0 && written.add(run.key())) events.add(event(size + 1));
    return new Append(
        run.key(),
        events,
        List.of(),
        change(run),
        deliveries(),
        random.nextInt(4) == 0 ? "{\"changed\":%d}".formatted(++counter) : null);
  }

  private RunChange change(RunRow run) {
    var at = NOON.plusSeconds(++counter);
    return switch (random.nextInt(14)) {
      case 0, 1 -> new RunChange.WakeAt(random.nextBoolean() ? at : null);
      case 2 -> new RunChange.Release(at);
      case 3 -> new RunChange.Block("R101");
      case 4, 5 -> new RunChange.Unblock(at);
      case 6 -> new RunChange.Compensate(at);
      case 7, 8, 9 -> new RunChange.Close(Status.FAILED, at);
      case 10, 11 -> new RunChange.Continue(run(run.workflowId()), List.of(event(1)), at);
      default -> new RunChange.None();
    };
  }

  private List<Delivery> deliveries() {
    var sent = new ArrayList<Delivery>();
    for (int i = random.nextInt(4); i > 1; i--) {
      var id = IDS.get(random.nextInt(IDS.size()));
      var only = random.nextInt(3) == 0 ? some().runId() : null;
      sent.add(delivery(id, only, "1", "sent-" + ++counter));
    }
    return sent;
  }
}
