package dev.reprise.engine.event;

import dev.reprise.engine.event.Event.ChildStarted;
import dev.reprise.engine.event.Event.CompensationFailed;
import dev.reprise.engine.event.Event.CompensationRegistered;
import dev.reprise.engine.event.Event.CompensationsStarted;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The part of what a history adds up to that few events change. Immutable.
 *
 * @param origin where the run comes from
 * @param undo what was remembered to be undone and was not undone yet, by id
 * @param undoing how the run will end when all is undone; null while its code runs
 * @param children those that have not ended, by id
 * @param published the last value of each key
 * @param patches changes that the code has passed the new way
 * @param attributes what the run can be found by
 * @param tasks activities on queues that have not ended, by id
 * @param hash of the code that may go on with it; null for any
 */
public record Life(
    Origin origin,
    PersistentMap<Undo> undo,
    @Nullable CompensationsStarted undoing,
    PersistentMap<Child> children,
    PersistentMap<Payload> published,
    PersistentMap<Boolean> patches,
    PersistentMap<Object> attributes,
    PersistentMap<Task> tasks,
    @Nullable String hash) {

  static final Life EMPTY =
      new Life(
          Origin.PLAIN,
          PersistentMap.empty(),
          null,
          PersistentMap.empty(),
          PersistentMap.empty(),
          PersistentMap.empty(),
          PersistentMap.empty(),
          PersistentMap.empty(),
          null);

  /**
   * Something that may have to be undone.
   *
   * @param index where in the history it was remembered
   * @param failure what came of it if that was tried and given up, or null
   */
  public record Undo(
      int index, CompensationRegistered what, @Nullable CompensationFailed failure) {}

  /**
   * A child.
   *
   * @param index where in the history it was asked for
   */
  public record Child(int index, ChildStarted started) {}

  /** Those that have not ended, in the order in which they were asked for. */
  public List<ChildStarted> childrenInOrder() {
    var all = new ArrayList<Child>();
    children.forEach((_, child) -> all.add(child));
    all.sort(Comparator.comparingInt(Child::index));
    return all.stream().map(Child::started).toList();
  }

  /**
   * An activity on a queue.
   *
   * @param index where in the history it was asked for
   * @param cancelled whether it is not wanted any more
   */
  public record Task(int index, Event.Call call, String queue, boolean cancelled) {}

  /** What is to be undone, the last remembered first; what failed only after a resume. */
  public List<CompensationRegistered> toUndo() {
    return lastFirst().stream().filter(entry -> entry.failure() == null).map(Undo::what).toList();
  }

  /** What is not undone, whether that was tried or not, the last remembered first. */
  public List<CompensationRegistered> notUndone() {
    return lastFirst().stream().map(Undo::what).toList();
  }

  /** What could not be undone, the last remembered first. */
  public List<CompensationFailed> failures() {
    var failures = new ArrayList<CompensationFailed>();
    for (var entry : lastFirst()) if (entry.failure() != null) failures.add(entry.failure());
    return failures;
  }

  private List<Undo> lastFirst() {
    var all = new ArrayList<Undo>();
    undo.forEach((_, entry) -> all.add(entry));
    all.sort(Comparator.comparingInt(Undo::index).reversed());
    return all;
  }

  /** What the run can be found by. */
  public Map<String, Object> attributeMap() {
    var map = new HashMap<String, Object>();
    attributes.forEach(map::put);
    return map;
  }

  Life started(Origin from) {
    var known = PersistentMap.<Object>empty();
    for (var entry : from.attributes().entrySet())
      known = known.put(entry.getKey(), entry.getValue());
    return new Life(from, undo, undoing, children, published, patches, known, tasks, from.hash());
  }

  Life remembered(int index, CompensationRegistered what) {
    return withUndo(undo.put(what.call().id(), new Undo(index, what, null)));
  }

  Life undone(String id) {
    return withUndo(undo.remove(id));
  }

  Life notUndone(CompensationFailed failure) {
    var id = failure.call().id();
    var entry = undo.get(id);
    return entry == null
        ? this
        : withUndo(undo.put(id, new Undo(entry.index(), entry.what(), failure)));
  }

  private Life withUndo(PersistentMap<Undo> changed) {
    return new Life(
        origin, changed, undoing, children, published, patches, attributes, tasks, hash);
  }

  Life undoes(CompensationsStarted how) {
    return new Life(origin, undo, how, children, published, patches, attributes, tasks, hash);
  }

  Life withChild(int index, ChildStarted child) {
    return withChildren(children.put(child.id(), new Child(index, child)));
  }

  Life withoutChild(String id) {
    return withChildren(children.remove(id));
  }

  private Life withChildren(PersistentMap<Child> changed) {
    return new Life(origin, undo, undoing, changed, published, patches, attributes, tasks, hash);
  }

  Life published(String key, Payload value) {
    return new Life(
        origin,
        undo,
        undoing,
        children,
        published.put(key, value),
        patches,
        attributes,
        tasks,
        hash);
  }

  Life patched(String change) {
    return new Life(
        origin,
        undo,
        undoing,
        children,
        published,
        patches.put(change, true),
        attributes,
        tasks,
        hash);
  }

  Life attribute(String name, @Nullable Object value) {
    var changed = value == null ? attributes.remove(name) : attributes.put(name, value);
    return new Life(origin, undo, undoing, children, published, patches, changed, tasks, hash);
  }

  Life scheduled(int index, Event.ActivityScheduled activity) {
    var task = new Task(index, activity.call(), activity.queueing().queue(), false);
    return withTasks(tasks.put(activity.call().id(), task));
  }

  Life unwanted(String id) {
    var task = tasks.get(id);
    if (task == null) return this;
    return withTasks(tasks.put(id, new Task(task.index(), task.call(), task.queue(), true)));
  }

  Life withoutTask(String id) {
    return withTasks(tasks.remove(id));
  }

  private Life withTasks(PersistentMap<Task> changed) {
    return new Life(origin, undo, undoing, children, published, patches, attributes, changed, hash);
  }

  Life takenUpBy(String code) {
    return new Life(origin, undo, undoing, children, published, patches, attributes, tasks, code);
  }

  /** What failed is tried again. */
  Life resumedWith(@Nullable String code) {
    var again = undo;
    for (var entry : lastFirst()) {
      if (entry.failure() == null) continue;
      var id = entry.what().call().id();
      again = again.put(id, new Undo(entry.index(), entry.what(), null));
    }
    return new Life(origin, again, undoing, children, published, patches, attributes, tasks, code);
  }
}
