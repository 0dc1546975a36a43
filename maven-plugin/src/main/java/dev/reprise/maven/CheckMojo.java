package dev.reprise.maven;

import java.io.File;
import java.util.List;
import javax.inject.Inject;
import org.apache.maven.artifact.Artifact;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;
import org.apache.maven.toolchain.ToolchainManager;

/** Fails the build if a workflow does something that would be different on replay. */
@Mojo(
    name = "check",
    defaultPhase = LifecyclePhase.PROCESS_CLASSES,
    requiresDependencyResolution = ResolutionScope.COMPILE,
    threadSafe = true)
public final class CheckMojo extends AbstractMojo {
  private static final int FOUND = 1;

  private final ToolchainManager toolchains;

  /** Where the compiled workflows are. */
  @Parameter(defaultValue = "${project.build.outputDirectory}", required = true)
  private File classes;

  /** Does nothing. */
  @Parameter(property = "reprise.guard.skip", defaultValue = "false")
  private boolean skip;

  @Parameter(defaultValue = "${project.compileClasspathElements}", readonly = true)
  private List<String> classPath;

  @Parameter(defaultValue = "${project.build.directory}", readonly = true)
  private File target;

  @Parameter(defaultValue = "${plugin.artifacts}", readonly = true)
  private List<Artifact> plugin;

  @Parameter(defaultValue = "${session}", readonly = true)
  private MavenSession session;

  @Inject
  CheckMojo(ToolchainManager toolchains) {
    this.toolchains = toolchains;
  }

  @Override
  public void execute() throws MojoExecutionException, MojoFailureException {
    if (skip || !classes.isDirectory()) {
      getLog().info(skip ? "skipped" : "no classes in " + classes);
      return;
    }
    var jdk = Jdk.of(toolchains.getToolchainFromBuildContext("jdk", session));
    var guard =
        plugin.stream()
            .filter(artifact -> artifact.getGroupId().equals("dev.reprise"))
            .map(artifact -> artifact.getFile().getPath())
            .toList();
    var process = new GuardProcess(jdk, guard, target.toPath().resolve("reprise-guard/arguments"));
    report(process.check(classes.toPath(), classPath));
  }

  private void report(GuardProcess.Result result)
      throws MojoExecutionException, MojoFailureException {
    if (result.code() == 0) {
      result.lines().forEach(getLog()::info);
      return;
    }
    result.lines().forEach(getLog()::error);
    if (result.code() == FOUND) {
      throw new MojoFailureException("workflows do what would be different on replay, see above");
    }
    throw new MojoExecutionException("the determinism guard ended with code " + result.code());
  }
}
