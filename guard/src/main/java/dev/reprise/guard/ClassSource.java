package dev.reprise.guard;

import org.jspecify.annotations.Nullable;

/** Where class files are read from, and which of them are the user's own. */
interface ClassSource {

  /** The class file, or null if there is none. */
  byte @Nullable [] read(String name);

  /** Whether the guard is to look into its methods. Not asked for classes of the JDK. */
  boolean isOwn(String name);

  /**
   * What classes of one project have in common: the first three parts of the package, such as
   * {@code com/acme/orders}. Fewer are shared by strangers, as {@code org/apache} is.
   */
  static String family(String name) {
    int end = -1;
    for (int part = 0; part < 3; part++) {
      int next = name.indexOf('/', end + 1);
      if (next < 0) break;
      end = next;
    }
    return name.substring(0, end + 1);
  }
}
