package dev.reprise.guard;

/**
 * A method or a field, in the words of class files.
 *
 * @param owner {@code java/time/Instant}
 * @param name {@code now}
 * @param type {@code ()Ljava/time/Instant;}
 */
record Member(String owner, String name, String type) {
  static final String CONSTRUCTOR = "<init>";
  static final String STATIC_INITIALIZER = "<clinit>";

  boolean isConstructor() {
    return name.equals(CONSTRUCTOR);
  }

  Member in(String otherOwner) {
    return new Member(otherOwner, name, type);
  }

  /** As it is written in source code: {@code Instant.now()}, {@code new Random()}. */
  String shown() {
    var owner = shown(this.owner);
    if (!type.startsWith("(")) return owner + "." + name;
    return (isConstructor() ? "new " + owner : owner + "." + name) + shownArguments();
  }

  String shownArguments() {
    return type.startsWith("()") ? "()" : "(…)";
  }

  /** The name of a class without its package: {@code Map.Entry}. */
  static String shown(String type) {
    return type.substring(type.lastIndexOf('/') + 1).replace('$', '.');
  }

  /** The name of a method in the source: of a lambda, the name of the method around it. */
  static String written(String method) {
    if (method.equals(CONSTRUCTOR)) return "new";
    if (method.equals(STATIC_INITIALIZER)) return "static";
    if (!method.startsWith("lambda$")) return method;
    int end = method.lastIndexOf('$');
    int start = "lambda$".length();
    return end > start ? method.substring(start, end) : method;
  }
}
