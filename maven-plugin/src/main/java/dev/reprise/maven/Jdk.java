package dev.reprise.maven;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.toolchain.Toolchain;
import org.jspecify.annotations.Nullable;

/**
 * A Java that can run the guard.
 *
 * @param java its program
 */
record Jdk(Path java) {
  private static final int NEEDED = 25;
  private static final Pattern VERSION = Pattern.compile("JAVA_VERSION=\"?(\\d+)");

  /** The JDK that the build has selected, or else that of Maven itself. */
  static Jdk of(@Nullable Toolchain selected) throws MojoExecutionException {
    var tool = selected == null ? null : selected.findTool("java");
    return tool == null
        ? checked(Path.of(System.getProperty("java.home"), "bin", "java"), "Maven runs on")
        : checked(Path.of(tool), "the build has selected");
  }

  private static Jdk checked(Path java, String how) throws MojoExecutionException {
    var version = version(java);
    if (version.isPresent() && version.get() < NEEDED) {
      throw new MojoExecutionException(
          "The determinism guard needs a JDK %d or newer, but %s a JDK %d (%s). Run Maven on a newer"
                  .formatted(NEEDED, how, version.get(), java)
              + " one, or select one with the goal select-jdk-toolchain of"
              + " maven-toolchains-plugin.");
    }
    return new Jdk(java);
  }

  /** As the file tells that every JDK has; unknown if this one has not. */
  private static Optional<Integer> version(Path java) {
    var bin = java.toAbsolutePath().getParent();
    if (bin == null) return Optional.empty();
    try {
      var version = VERSION.matcher(Files.readString(bin.resolveSibling("release")));
      return version.find() ? Optional.of(Integer.valueOf(version.group(1))) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
