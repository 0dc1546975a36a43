package dev.reprise.engine.bind;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.ToolProvider;

/** Classes that a test compiles from their source. */
record Compiled(Path folder) {

  /** Compiles one file into a new folder. The name is that of its first class. */
  static Compiled of(Path parent, String name, String source, String... options) {
    try {
      var folder = Files.createTempDirectory(parent, "code");
      var file = folder.resolve(name.substring(name.lastIndexOf('.') + 1) + ".java");
      Files.writeString(file, source);
      compile(folder, file, options);
      return new Compiled(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void compile(Path folder, Path file, String... options) throws IOException {
    var compiler = ToolProvider.getSystemJavaCompiler();
    var all = new ArrayList<>(List.of("-d", folder.toString(), "-nowarn", "-proc:none"));
    all.addAll(List.of("-cp", System.getProperty("java.class.path")));
    all.addAll(List.of(options));
    var output = new StringWriter();
    try (var files = compiler.getStandardFileManager(null, null, null)) {
      var units = files.getJavaFileObjects(file);
      if (!compiler.getTask(output, files, null, all, null, units).call()) {
        throw new AssertionError(output.toString());
      }
    }
  }

  /** The class, loaded by a loader of its own. */
  Class<?> load(String name) {
    try {
      var loader = new URLClassLoader(new URL[] {folder.toUri().toURL()});
      return Class.forName(name, false, loader);
    } catch (IOException | ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }
}
