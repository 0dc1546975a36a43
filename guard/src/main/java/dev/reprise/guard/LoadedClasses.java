package dev.reprise.guard;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import org.jspecify.annotations.Nullable;

/**
 * Class files where a class loader has them. The user's own are those that lie where the workflow
 * lies, those in folders rather than jars, and those of the same family of packages.
 */
final class LoadedClasses implements ClassSource {
  private final ClassLoader loader;
  private final String home;
  private final String family;

  LoadedClasses(ClassLoader loader, String workflow) {
    this.loader = loader;
    this.home = place(workflow);
    this.family = ClassSource.family(workflow);
  }

  @Override
  public byte @Nullable [] read(String name) {
    try (var in = loader.getResourceAsStream(name + ".class")) {
      return in == null ? null : in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public boolean isOwn(String name) {
    if (!family.isEmpty() && name.startsWith(family)) return true;
    var place = place(name);
    return place.startsWith("file:") || (!place.isEmpty() && place.equals(home));
  }

  /** The folder or jar with that class. */
  private String place(String name) {
    URL url = loader.getResource(name + ".class");
    if (url == null) return "";
    var text = url.toString();
    return text.substring(0, text.length() - name.length() - ".class".length());
  }
}
