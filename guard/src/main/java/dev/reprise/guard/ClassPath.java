package dev.reprise.guard;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Class files in folders and jars, without loading them. The user's own are those that are to be
 * scanned, those in other folders, and those of the same families of packages in jars.
 */
final class ClassPath implements ClassSource, AutoCloseable {
  private static final ClassLoader PLATFORM = ClassLoader.getPlatformClassLoader();

  private final List<FileSystem> jars = new ArrayList<>();
  private final List<Path> own = new ArrayList<>();
  private final List<Path> others = new ArrayList<>();
  private final Set<String> families = new HashSet<>();

  /**
   * Opens the jars.
   *
   * @param scanned folders and jars with the workflows
   * @param others what these need
   */
  ClassPath(List<Path> scanned, List<Path> others) {
    scanned.forEach(entry -> own.add(root(entry)));
    for (var entry : others) {
      if (scanned.contains(entry) || !Files.exists(entry)) continue;
      (Files.isDirectory(entry) ? own : this.others).add(root(entry));
    }
  }

  private Path root(Path entry) {
    if (Files.isDirectory(entry)) return entry;
    try {
      var jar = FileSystems.newFileSystem(entry);
      jars.add(jar);
      return jar.getPath("/");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + entry, e);
    }
  }

  /** The names of all classes in one of the entries. */
  List<String> classes(int entry) {
    var root = own.get(entry);
    try (var files = Files.walk(root)) {
      var names = new TreeSet<String>();
      files
          .map(file -> root.relativize(file).toString().replace('\\', '/'))
          .filter(file -> file.endsWith(".class") && !file.startsWith("META-INF/"))
          .forEach(file -> names.add(file.substring(0, file.length() - ".class".length())));
      names.forEach(name -> families.add(ClassSource.family(name)));
      return List.copyOf(names);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + root, e);
    }
  }

  @Override
  public byte @Nullable [] read(String name) {
    try {
      var file = find(own, name);
      if (file == null) file = find(others, name);
      if (file != null) return Files.readAllBytes(file);
      try (var in = PLATFORM.getResourceAsStream(name + ".class")) {
        return in == null ? null : in.readAllBytes();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public boolean isOwn(String name) {
    return find(own, name) != null || families.contains(ClassSource.family(name));
  }

  private static @Nullable Path find(List<Path> roots, String name) {
    for (var root : roots) {
      var file = root.resolve(name + ".class");
      if (Files.exists(file)) return file;
    }
    return null;
  }

  @Override
  public void close() {
    for (var jar : jars) {
      try {
        jar.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
