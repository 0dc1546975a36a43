package dev.reprise.verification.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The files of this project as a clone has them: without what builds and editors leave behind. */
public record Repository(Path root) {
  private static final Set<String> HIDDEN_BUT_OURS =
      Set.of(".ci", ".github", ".gitignore", ".gitattributes", ".editorconfig");
  private static final Pattern SOURCE = Pattern.compile("(.*/)?src/(main|test)/java/.*\\.java");

  /** The repository around the working directory, which in a test is the folder of its module. */
  public static Repository here() {
    for (var folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
      if (Files.exists(folder.resolve("LICENSE")) && Files.exists(folder.resolve("pom.xml"))) {
        return new Repository(folder);
      }
    }
    throw new IllegalStateException("not inside the repository: " + Path.of("").toAbsolutePath());
  }

  List<Path> javaSources() {
    return files().stream().filter(file -> SOURCE.matcher(name(file)).matches()).toList();
  }

  public List<Path> files() {
    var files = new ArrayList<Path>();
    try {
      Files.walkFileTree(root, new Collector(files));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return files.stream().sorted().toList();
  }

  /** The folders of all modules that have something at {@code path}, such as compiled tests. */
  List<Path> inModules(String path) {
    try (var folders = Files.list(root)) {
      return folders.map(module -> module.resolve(path)).filter(Files::exists).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The path of a file from the root, the same on every platform. */
  public String name(Path file) {
    return root.relativize(file).toString().replace('\\', '/');
  }

  private final class Collector extends SimpleFileVisitor<Path> {
    private final List<Path> files;

    Collector(List<Path> files) {
      this.files = files;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
      return folder.equals(root) || isOurs(folder)
          ? FileVisitResult.CONTINUE
          : FileVisitResult.SKIP_SUBTREE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      if (attributes.isRegularFile() && isOurs(file)) files.add(file);
      return FileVisitResult.CONTINUE;
    }

    private boolean isOurs(Path path) {
      var name = path.getFileName().toString();
      if (name.startsWith(".")) return HIDDEN_BUT_OURS.contains(name);
      return !name.equals("target") && !name.equals("node_modules");
    }
  }
}
