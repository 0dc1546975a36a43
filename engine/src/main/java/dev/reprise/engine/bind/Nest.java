package dev.reprise.engine.bind;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.DebugElementsOption;
import java.lang.classfile.ClassModel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The classes that are written in one top-level class, as a text of what they do.
 *
 * <p>Classes without a name of their own stand in the text where they are used, by their digest;
 * the numbers that a compiler gives them change with whatever is written before them.
 */
final class Nest {
  private static final ClassFile READER = ClassFile.of(DebugElementsOption.DROP_DEBUG);
  private static final Pattern IN_DESCRIPTOR = Pattern.compile("L([^;<>:.()\\[]+)(?=[;<.])");
  private static final Pattern NUMBERED = Pattern.compile("\\$\\d");
  private static final Pattern NUMBERS = Pattern.compile("^.*\\$\\d*");

  private final String host;
  private final Map<String, ClassText> classes = new LinkedHashMap<>();
  private final Map<String, String> digests = new HashMap<>();
  private final List<String> entered = new ArrayList<>(); // numbered classes, the outermost first

  private Nest(String host) {
    this.host = host;
  }

  /** Reads the class file of the host and of all members. */
  static Nest read(String host, ClassLoader loader) throws IOException {
    var nest = new Nest(host);
    var model = model(host, loader);
    nest.add(model);
    var members = model.findAttribute(Attributes.nestMembers());
    if (members.isPresent()) {
      for (var member : members.get().nestMembers()) {
        nest.add(model(member.asInternalName(), loader));
      }
    }
    return nest;
  }

  private void add(ClassModel model) {
    classes.put(model.thisClass().asInternalName(), new ClassText(model, this));
  }

  private static ClassModel model(String name, ClassLoader loader) throws IOException {
    try (var in = loader.getResourceAsStream(name + ".class")) {
      if (in == null) throw new FileNotFoundException(name);
      return READER.parse(in.readAllBytes());
    }
  }

  /** All classes that somebody gave a name, in the order of names. */
  String text() {
    var text = new StringBuilder();
    classes.keySet().stream()
        .filter(name -> !isNumbered(name))
        .sorted()
        .forEach(name -> text.append(classOf(name).text()));
    return text.toString();
  }

  /** How the text calls a class: those of the nest by what comes after the name of the host. */
  String name(String internalName) {
    if (internalName.startsWith("[")) return descriptor(internalName);
    if (!classes.containsKey(internalName)) return internalName;
    var inHost = internalName.substring(host.length());
    return isNumbered(internalName)
        ? "~" + NUMBERS.matcher(inHost).replaceFirst("") + digestOf(internalName)
        : "~" + inHost;
  }

  /** Whether it is a local or an anonymous class, or in one. */
  private boolean isNumbered(String name) {
    return NUMBERED.matcher(name.substring(host.length())).find();
  }

  private String digestOf(String numbered) {
    int inside = entered.indexOf(numbered);
    if (inside >= 0) return "^" + (entered.size() - inside);
    var known = digests.get(numbered);
    if (known != null) return known;
    entered.add(numbered);
    var digest = "#" + SourceHash.digest(classOf(numbered).text());
    entered.removeLast();
    digests.put(numbered, digest);
    return digest;
  }

  /** A descriptor or a generic signature with names as in the text. */
  String descriptor(String descriptor) {
    return IN_DESCRIPTOR.matcher(descriptor).replaceAll(this::renamed);
  }

  private String renamed(MatchResult found) {
    return "L" + name(found.group(1)).replace("\\", "\\\\").replace("$", "\\$");
  }

  /** How the text calls a field; the copy of a captured variable has no name of its own. */
  String field(String owner, String name) {
    var type = classes.get(owner);
    return type == null ? name : type.field(name);
  }

  /** The body of a lambda, if that method is one; else null. */
  @Nullable String lambda(String owner, String name, String descriptor) {
    var type = classes.get(owner);
    return type == null ? null : type.lambda(name, descriptor);
  }

  private ClassText classOf(String name) {
    return Objects.requireNonNull(classes.get(name));
  }
}
