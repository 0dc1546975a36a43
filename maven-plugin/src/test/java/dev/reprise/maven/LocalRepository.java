package dev.reprise.maven;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A local repository with the plugin and what it needs, as they are on the class path of this test.
 */
record LocalRepository(Path folder) {
  static final String VERSION = version();

  private static final String POM =
      """
      <project>
        <modelVersion>4.0.0</modelVersion>
        <groupId>dev.reprise</groupId>
        <artifactId>%s</artifactId>
        <version>%s</version>
        <packaging>%s</packaging>
        <dependencies>%s</dependencies>
      </project>
      """;
  private static final String DEPENDENCY =
      "<dependency><groupId>dev.reprise</groupId><artifactId>%s</artifactId>"
          + "<version>%s</version></dependency>";

  /** Maven insists on the version that stands in the descriptor of the plugin. */
  private static String version() {
    try (var in = LocalRepository.class.getResourceAsStream("/META-INF/maven/plugin.xml")) {
      var descriptor = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return descriptor.replaceFirst("(?s).*?<version>(.*?)</version>.*", "$1");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void install() throws IOException {
    install("reprise-api", "jar", "", "dev.reprise.Workflow");
    install("reprise-guard", "jar", dependency("reprise-api"), "dev.reprise.guard.Main");
    install(
        "reprise-maven-plugin",
        "maven-plugin",
        dependency("reprise-guard"),
        CheckMojo.class.getName());
    installWhatMavenAdds();
  }

  /** Maven 3.8 puts it on the class path of every plugin; nothing of it is used. */
  private void installWhatMavenAdds() throws IOException {
    var home = folder.resolve("org/codehaus/plexus/plexus-utils/1.1");
    var pom =
        POM.formatted("plexus-utils", "1.1", "jar", "")
            .replace("dev.reprise", "org.codehaus.plexus");
    Files.createDirectories(home);
    Files.writeString(home.resolve("plexus-utils-1.1.pom"), pom);
    pack(Files.createDirectories(folder.resolve("empty")), home.resolve("plexus-utils-1.1.jar"));
  }

  private static String dependency(String artifact) {
    return DEPENDENCY.formatted(artifact, VERSION);
  }

  /** A project that uses workflows. */
  static String project() {
    return POM.formatted("checkout", VERSION, "jar", dependency("reprise-api"));
  }

  private void install(String artifact, String packaging, String dependencies, String type)
      throws IOException {
    var home = folder.resolve("dev/reprise").resolve(artifact).resolve(VERSION);
    var name = artifact + "-" + VERSION;
    Files.createDirectories(home);
    Files.writeString(
        home.resolve(name + ".pom"), POM.formatted(artifact, VERSION, packaging, dependencies));
    var place = place(type);
    if (Files.isDirectory(place)) pack(place, home.resolve(name + ".jar"));
    else Files.copy(place, home.resolve(name + ".jar"));
  }

  /** The folder or jar with that class. */
  static Path place(String type) {
    try {
      var source = Class.forName(type).getProtectionDomain().getCodeSource();
      return Path.of(source.getLocation().toURI());
    } catch (ClassNotFoundException | URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void pack(Path classes, Path jar) throws IOException {
    try (var out = new ZipOutputStream(Files.newOutputStream(jar));
        var files = Files.walk(classes)) {
      files.filter(Files::isRegularFile).forEach(file -> add(classes, file, out));
    }
  }

  private static void add(Path classes, Path file, ZipOutputStream out) {
    try {
      out.putNextEntry(new ZipEntry(classes.relativize(file).toString().replace('\\', '/')));
      out.write(Files.readAllBytes(file));
      out.closeEntry();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
