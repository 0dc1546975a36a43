package dev.reprise.guard;

import dev.reprise.Workflow;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.tools.ToolProvider;

/**
 * Workflows that are compiled by a test from their source. Most do what tests of this project are
 * not allowed to do.
 *
 * @param folder where the class files are
 */
record Samples(Path folder) {
  private static final String IMPORTS =
      """
      package samples; \
      import dev.reprise.*; \
      import java.io.*; \
      import java.lang.reflect.*; \
      import java.net.*; \
      import java.net.http.*; \
      import java.nio.channels.*; \
      import java.nio.file.*; \
      import java.security.*; \
      import java.sql.DriverManager; \
      import java.time.*; \
      import java.util.*; \
      import java.util.concurrent.*; \
      import java.util.concurrent.atomic.*; \
      import java.util.concurrent.locks.*; \
      import java.util.function.*; \
      import java.util.random.*; \
      import java.util.stream.*; \
      """;

  /** A workflow of that name that does this. Its code begins in line 3. */
  static String workflow(String name, String body) {
    return """
    public class %s implements Workflow<String, Object> {
      public Object run(Context ctx, String input) throws Exception {
    %s
        return null;
      }
    }
    """
        .formatted(name, body);
  }

  /** Compiles classes; of each the name and the source without package and imports. */
  static Samples compile(Path folder, Map<String, String> sources) {
    try {
      var files = new ArrayList<Path>();
      for (var source : sources.entrySet()) {
        var file = folder.resolve(source.getKey() + ".java");
        files.add(Files.writeString(file, IMPORTS + source.getValue()));
      }
      compile(folder, files);
      return new Samples(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void compile(Path folder, List<Path> files) throws IOException {
    var compiler = ToolProvider.getSystemJavaCompiler();
    var output = new StringWriter();
    try (var manager = compiler.getStandardFileManager(null, null, null)) {
      var options = List.of("-d", folder.toString(), "-cp", api().toString(), "-g", "-nowarn");
      var units = manager.getJavaFileObjectsFromPaths(files);
      if (!compiler.getTask(output, manager, null, options, null, units).call()) {
        throw new AssertionError(output.toString());
      }
    }
  }

  static Path api() {
    try {
      return Path.of(Workflow.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The findings of the guard in all of them. */
  Findings scan() {
    return DeterminismGuard.scan(List.of(folder), List.of(api()));
  }

  /** The findings in one workflow with this body, and perhaps more classes. */
  static List<Finding> findings(Path folder, String body, String... others) {
    var source = workflow("Sample", body) + String.join("\n", others);
    return compile(folder, Map.of("Sample", source)).scan().all();
  }
}
