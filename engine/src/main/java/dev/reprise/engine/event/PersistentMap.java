package dev.reprise.engine.event;

import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An immutable map from ids to values in which a change costs a path, not a copy.
 *
 * <p>A treap: a search tree by key whose nodes are a heap by a priority drawn from the key, so that
 * it is balanced without bookkeeping and its shape depends on its content only. A run with ten
 * thousand parallel sleeps changes such a map twenty thousand times.
 */
public final class PersistentMap<V> {
  private static final PersistentMap<?> EMPTY = new PersistentMap<>(null);

  private final @Nullable Node<V> root;

  private PersistentMap(@Nullable Node<V> root) {
    this.root = root;
  }

  @SuppressWarnings("unchecked") // the empty map holds no value of any type
  public static <V> PersistentMap<V> empty() {
    return (PersistentMap<V>) EMPTY;
  }

  public boolean isEmpty() {
    return root == null;
  }

  public @Nullable V get(String key) {
    var node = root;
    while (node != null) {
      int order = key.compareTo(node.key);
      if (order == 0) return node.value;
      node = order < 0 ? node.left : node.right;
    }
    return null;
  }

  /** The first key, in the order of keys, that is not before this one; null if there is none. */
  public @Nullable String firstFrom(String key) {
    String first = null;
    var node = root;
    while (node != null) {
      if (key.compareTo(node.key) > 0) {
        node = node.right;
      } else {
        first = node.key;
        node = node.left;
      }
    }
    return first;
  }

  public boolean contains(String key) {
    return get(key) != null;
  }

  public PersistentMap<V> put(String key, V value) {
    return new PersistentMap<>(put(root, key, value));
  }

  public PersistentMap<V> remove(String key) {
    return contains(key) ? of(remove(root, key)) : this;
  }

  /** Visits all entries in the order of the keys. */
  public void forEach(BiConsumer<String, V> visitor) {
    visit(root, visitor);
  }

  public int size() {
    return size(root);
  }

  /** The longest way to an entry. */
  int depth() {
    return depth(root);
  }

  private static int depth(@Nullable Node<?> node) {
    return node == null ? 0 : 1 + Math.max(depth(node.left), depth(node.right));
  }

  private static <V> PersistentMap<V> of(@Nullable Node<V> root) {
    return root == null ? empty() : new PersistentMap<>(root);
  }

  private static <V> Node<V> put(@Nullable Node<V> node, String key, V value) {
    if (node == null) return new Node<>(key, value, null, null);
    int order = key.compareTo(node.key);
    if (order == 0) return new Node<>(key, value, node.left, node.right);
    if (order < 0) {
      var left = put(node.left, key, value);
      return left.priority() > node.priority()
          ? new Node<>(left.key, left.value, left.left, node.with(left.right, node.right))
          : node.with(left, node.right);
    }
    var right = put(node.right, key, value);
    return right.priority() > node.priority()
        ? new Node<>(right.key, right.value, node.with(node.left, right.left), right.right)
        : node.with(node.left, right);
  }

  private static <V> @Nullable Node<V> remove(@Nullable Node<V> node, String key) {
    if (node == null) return null;
    int order = key.compareTo(node.key);
    if (order < 0) return node.with(remove(node.left, key), node.right);
    if (order > 0) return node.with(node.left, remove(node.right, key));
    return merge(node.left, node.right);
  }

  private static <V> @Nullable Node<V> merge(@Nullable Node<V> left, @Nullable Node<V> right) {
    if (left == null) return right;
    if (right == null) return left;
    return left.priority() > right.priority()
        ? left.with(left.left, merge(left.right, right))
        : right.with(merge(left, right.left), right.right);
  }

  private static <V> void visit(@Nullable Node<V> node, BiConsumer<String, V> visitor) {
    if (node == null) return;
    visit(node.left, visitor);
    visitor.accept(node.key, node.value);
    visit(node.right, visitor);
  }

  private static int size(@Nullable Node<?> node) {
    return node == null ? 0 : 1 + size(node.left) + size(node.right);
  }

  private record Node<V>(String key, V value, @Nullable Node<V> left, @Nullable Node<V> right) {

    /** A hash spread over all bits: ids of one run differ in their last digits only. */
    int priority() {
      int h = key.hashCode() * 0x9E3779B9;
      h ^= h >>> 16;
      h *= 0x85EBCA6B;
      return h ^ h >>> 13;
    }

    Node<V> with(@Nullable Node<V> newLeft, @Nullable Node<V> newRight) {
      return new Node<>(key, value, newLeft, newRight);
    }
  }
}
