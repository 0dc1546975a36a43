package dev.reprise.verification.bench;

import java.io.File;
import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An application with the engine in it, as a user would ship it: jars, and no more of them than it
 * needs. Its main class is {@link FootprintProcess}.
 *
 * @param libraries what comes with {@code reprise-jdbc}
 * @param own the application itself, and what it logs with
 */
record EmbeddedApplication(List<Path> libraries, List<Path> own) {
  private static final Class<?> MAIN = FootprintProcess.class;

  /** A file in each of the jars that Maven resolves for {@code reprise-jdbc}. */
  private static final List<String> IN_LIBRARIES =
      List.of(
          "dev/reprise/Workflow.class",
          "dev/reprise/engine/Reprise.class",
          "dev/reprise/jdbc/SqliteStore.class",
          "tools/jackson/databind/ObjectMapper.class",
          "tools/jackson/core/JsonParser.class",
          "com/fasterxml/jackson/annotation/JsonCreator.class",
          "org/sqlite/JDBC.class",
          "org/postgresql/Driver.class",
          "org/checkerframework/checker/nullness/qual/Nullable.class",
          "org/slf4j/Logger.class");

  private static final List<String> IN_OWN =
      List.of(MAIN.getName().replace('.', '/') + ".class", "org/slf4j/simple/SimpleLogger.class");

  EmbeddedApplication {
    libraries = List.copyOf(libraries);
    own = List.copyOf(own);
  }

  /** Made of what is on the class path here; folders of classes become jars in that folder. */
  static EmbeddedApplication in(Path folder) throws IOException {
    return new EmbeddedApplication(jars(IN_LIBRARIES, folder), jars(IN_OWN, folder));
  }

  private static List<Path> jars(List<String> files, Path folder) throws IOException {
    var jars = new ArrayList<Path>();
    for (var file : files) {
      var place = placeOf(file);
      var name = file.replaceAll("[/.]", "-") + ".jar";
      jars.add(Files.isDirectory(place) ? pack(place, folder.resolve(name)) : place);
    }
    return jars;
  }

  /** The jar or the folder that a file of the class path is in. */
  private static Path placeOf(String file) throws IOException {
    var url = ClassLoader.getSystemResource(file);
    if (url == null) throw new IllegalStateException(file + " is not on the class path");
    try {
      if (url.openConnection() instanceof JarURLConnection jar) {
        return Path.of(jar.getJarFileURL().toURI());
      }
      return Path.of(url.toURI()).resolve("../".repeat(file.split("/", -1).length)).normalize();
    } catch (URISyntaxException mistake) {
      throw new IllegalStateException(url + " is nowhere", mistake);
    }
  }

  private static Path pack(Path classes, Path jar) throws IOException {
    try (var out = new JarOutputStream(Files.newOutputStream(jar));
        var all = Files.walk(classes)) {
      for (var file : all.filter(Files::isRegularFile).sorted().toList()) {
        var name = classes.relativize(file).toString().replace(File.separatorChar, '/');
        out.putNextEntry(new JarEntry(name));
        Files.copy(file, out);
      }
    }
    return jar;
  }

  /** What starts it on a database, with these options for the JVM and no others that matter. */
  ProcessBuilder command(String url, String... options) {
    return command(MAIN, List.of(url), options);
  }

  /** What starts another class that comes with it. */
  ProcessBuilder command(Class<?> main, List<String> arguments, String... options) {
    var all = new ArrayList<>(List.of("--enable-native-access=ALL-UNNAMED")); // spares a warning
    all.addAll(Arrays.asList(options));
    return JavaProcess.of(all, classPath(), main, arguments);
  }

  private String classPath() {
    return Stream.concat(own.stream(), libraries.stream())
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }
}
