package dev.reprise.maven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.toolchain.Toolchain;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JdkTest {
  @TempDir private Path home;

  private Toolchain toolchain(String release) throws IOException {
    Files.writeString(home.resolve("release"), release);
    return new Toolchain() {
      @Override
      public String getType() {
        return "jdk";
      }

      @Override
      public String findTool(String name) {
        return home.resolve("bin").resolve(name).toString();
      }
    };
  }

  @Test
  void the_jdk_that_the_build_has_selected_is_taken() throws Exception {
    var jdk = Jdk.of(toolchain("IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"25.0.1\"\n"));

    assertThat(jdk.java()).isEqualTo(home.resolve("bin/java"));
  }

  @Test
  void without_one_it_is_that_of_Maven() throws Exception {
    assertThat(Jdk.of(null).java()).startsWith(Path.of(System.getProperty("java.home")));
  }

  @Test
  void one_that_is_too_old_is_refused_with_what_to_do() throws IOException {
    var old = toolchain("JAVA_VERSION=\"21.0.2\"\n");

    assertThatExceptionOfType(MojoExecutionException.class)
        .isThrownBy(() -> Jdk.of(old))
        .withMessageContaining("needs a JDK 25 or newer, but the build has selected a JDK 21")
        .withMessageContaining("select-jdk-toolchain");
  }
}
