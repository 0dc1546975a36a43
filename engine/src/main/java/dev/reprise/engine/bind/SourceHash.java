package dev.reprise.engine.bind;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A hash of what the code of a workflow does.
 *
 * <p>It is made from the class files of the workflow class, its nest and those of its superclasses
 * and interfaces that belong to the same project. What a compiler adds for debuggers is left out,
 * and so are names that nobody gave: those of local variables, lambdas and anonymous classes. The
 * name of the class itself is left out too, so that it may be renamed.
 */
public final class SourceHash {
  /** Of code that cannot be read. */
  public static final String UNKNOWN = "";

  private static final int LENGTH = 32; // characters; two codes with the same one will never meet

  private static final ClassValue<String> KNOWN =
      new ClassValue<>() {
        @Override
        protected String computeValue(Class<?> type) {
          return read(type);
        }
      };

  private SourceHash() {}

  /** The hash for a workflow of this class; of a lambda, that of the class it is written in. */
  public static String of(Class<?> workflow) {
    return KNOWN.get(workflow.isHidden() ? workflow.getNestHost() : workflow);
  }

  private static String read(Class<?> type) {
    var loader = type.getClassLoader();
    if (loader == null) return UNKNOWN;
    try {
      var nests = new TreeMap<String, String>();
      collect(type, type, loader, nests);
      return digest(String.join("\n", nests.values())).substring(0, LENGTH);
    } catch (IOException | IllegalArgumentException unreadable) {
      return UNKNOWN;
    }
  }

  /** By the name of the nest, with the one of the workflow before all others. */
  private static void collect(
      @Nullable Class<?> type, Class<?> workflow, ClassLoader loader, TreeMap<String, String> nests)
      throws IOException {
    if (type == null || !isOwn(type, workflow)) return;
    var host = type.getNestHost().getName();
    var key = type.getNestHost() == workflow.getNestHost() ? "" : host;
    if (!nests.containsKey(key)) nests.put(key, Nest.read(host.replace('.', '/'), loader).text());
    collect(type.getSuperclass(), workflow, loader, nests);
    for (var parent : type.getInterfaces()) collect(parent, workflow, loader, nests);
  }

  /** By the package alone: where classes lie is not the same in a build and in production. */
  private static boolean isOwn(Class<?> type, Class<?> workflow) {
    return type.getNestHost() == workflow.getNestHost()
        || family(type.getName()).equals(family(workflow.getName()));
  }

  /** The first parts of the package, such as {@code com.acme}. */
  private static String family(String name) {
    int last = name.lastIndexOf('.');
    if (last < 0) return "";
    int first = name.indexOf('.');
    int second = name.indexOf('.', first + 1);
    return name.substring(0, second < 0 ? last : second);
  }

  static String digest(String text) {
    try {
      var sha = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(sha.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible); // every Java has it
    }
  }
}
