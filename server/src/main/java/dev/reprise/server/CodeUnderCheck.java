package dev.reprise.server;

import dev.reprise.engine.Reprise;
import dev.reprise.engine.Workflows;
import dev.reprise.engine.bind.StandIns;
import dev.reprise.engine.gate.ReplayGate;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options that say which code to check, and where it is. */
final class CodeUnderCheck {
  @Option(
      names = {"--classpath", "-cp"},
      paramLabel = "PATH",
      description = "Folders and jars with the code; 'lib/*' for all jars of a folder.")
  private @Nullable String classPath;

  @Option(
      names = "--workflow-class",
      paramLabel = "CLASS",
      description =
          "A workflow class, for code without a dev.reprise.engine.Workflows. May be given several"
              + " times.")
  private List<String> classes = List.of();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create(); // picocli puts the real one here

  /** Workflows, and the loader that has their classes open. */
  record Loaded(Reprise workflows, @Nullable URLClassLoader loader, ClassLoader before)
      implements AutoCloseable {

    ReplayGate gate() {
      return workflows.gate();
    }

    @Override
    public void close() {
      Thread.currentThread().setContextClassLoader(before);
      try {
        if (loader != null) loader.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Finds the workflows. Their code sees its own class path as long as it is open. */
  Loaded load() {
    var thread = Thread.currentThread();
    var before = thread.getContextClassLoader();
    var own = classPath == null ? null : new URLClassLoader(urls(classPath), before);
    var loader = own == null ? before : own;
    var loaded = new Loaded(Reprise.inMemory(), own, before);
    thread.setContextClassLoader(loader);
    try {
      register(loaded.workflows, loader);
    } catch (ServiceConfigurationError | LinkageError e) {
      loaded.close();
      throw wrong("The workflows cannot be loaded, is the class path complete? " + e);
    } catch (RuntimeException e) {
      loaded.close();
      throw e;
    }
    return loaded;
  }

  private void register(Reprise workflows, ClassLoader loader) {
    for (var found : ServiceLoader.load(Workflows.class, loader)) found.register(workflows);
    for (var name : classes) workflows.workflow(StandIns.workflow(find(name, loader)));
    if (!workflows.gate().workflows().isEmpty()) return;
    throw wrong(
        "There are no workflows on the class path. Implement dev.reprise.engine.Workflows and name"
            + " it in META-INF/services, or name classes with --workflow-class.");
  }

  private Class<?> find(String name, ClassLoader loader) {
    try {
      return Class.forName(name, true, loader);
    } catch (ClassNotFoundException | LinkageError e) {
      throw wrong("Invalid value for option '--workflow-class': cannot be loaded: " + e);
    }
  }

  private URL[] urls(String path) {
    var urls = new ArrayList<URL>();
    for (var part : path.split(File.pathSeparator)) {
      if (!part.isBlank()) files(part).map(CodeUnderCheck::url).forEach(urls::add);
    }
    return urls.toArray(URL[]::new);
  }

  private Stream<Path> files(String part) {
    boolean all = part.endsWith("*");
    var path = Path.of(all ? part.substring(0, part.length() - 1) : part);
    if (!Files.exists(path)) {
      throw wrong("Invalid value for option '--classpath': there is no " + path);
    }
    if (!all) return Stream.of(path);
    try (var files = Files.list(path)) {
      return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static URL url(Path file) {
    try {
      return file.toUri().toURL();
    } catch (MalformedURLException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(command.commandLine(), message);
  }
}
