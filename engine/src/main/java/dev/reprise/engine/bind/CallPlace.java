package dev.reprise.engine.bind;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.invoke.SerializedLambda;
import org.jspecify.annotations.Nullable;

/**
 * Where calls of the engine with a certain method reference stand in the source.
 *
 * <p>To look for the line on the stack takes about a microsecond, more than anything else in a
 * step. But most method references are written where they are used, so that all calls with one of
 * them come from the same line. Whether that is so, the class file says ({@link DirectUse}). It is
 * asked once, after some calls, and believed if it agrees with the stack.
 */
public final class CallPlace {
  /** Of calls of which nothing is known but what the stack says. */
  public static final CallPlace ANYWHERE = new CallPlace(null, null);

  private static final int OFTEN = 100; // calls; for fewer it does not pay to read a class file

  private final @Nullable DirectUse use;
  private final @Nullable ClassLoader loader;
  private int calls; // about, for threads count past each other
  private volatile @Nullable String line; // if all calls come from there

  private CallPlace(@Nullable DirectUse use, @Nullable ClassLoader loader) {
    this.use = use;
    this.loader = loader;
  }

  static CallPlace of(SerializedLambda reference, @Nullable ClassLoader loader) {
    return new CallPlace(DirectUse.of(reference), loader);
  }

  /** The line of user code that calls the engine now, or null if there is none on the stack. */
  public @Nullable String find() {
    var known = line;
    if (known != null) return known;
    var found = CallSite.find();
    if (use != null && calls < OFTEN && ++calls == OFTEN && isOnly(use, found)) line = found;
    return found;
  }

  private boolean isOnly(DirectUse of, @Nullable String found) {
    if (loader == null || found == null) return false;
    try (var in = loader.getResourceAsStream(of.writtenIn() + ".class")) {
      return in != null && found.equals(of.line(ClassFile.of().parse(in.readAllBytes())));
    } catch (IOException | IllegalArgumentException unreadable) {
      return false;
    }
  }
}
