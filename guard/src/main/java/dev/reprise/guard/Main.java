package dev.reprise.guard;

import java.io.File;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The guard as a program: prints what it finds in folders and jars, one line each. Ends with 1 if
 * there is anything, with 2 if it was called wrongly.
 */
public final class Main {
  private static final String USAGE =
      """
      usage: java dev.reprise.guard.Main [--class-path PATH] FOLDER-OR-JAR...
      Checks the workflows in folders of class files and in jars.
        --class-path PATH   what these need\
      """;

  private Main() {}

  public static void main(String[] args) {
    System.exit(run(List.of(args), System.out, System.err));
  }

  static int run(List<String> args, PrintStream out, PrintStream err) {
    var classPath = new ArrayList<Path>();
    var places = new ArrayList<Path>();
    for (var arg = args.iterator(); arg.hasNext(); ) {
      var word = arg.next();
      if (!word.equals("--class-path")) places.add(Path.of(word));
      else if (arg.hasNext()) classPath.addAll(paths(arg.next()));
      else places.clear();
    }
    var missing = places.stream().filter(Files::notExists).toList();
    if (places.isEmpty() || !missing.isEmpty()) {
      missing.forEach(place -> err.println("there is no " + place));
      err.println(USAGE);
      return 2;
    }
    return report(DeterminismGuard.scan(places, classPath), out);
  }

  private static List<Path> paths(String classPath) {
    return Arrays.stream(classPath.split(File.pathSeparator))
        .filter(entry -> !entry.isEmpty())
        .map(Path::of)
        .toList();
  }

  private static int report(Findings findings, PrintStream out) {
    if (!findings.isEmpty()) out.println(findings.describe());
    out.println(findings.summary());
    return findings.isEmpty() ? 0 : 1;
  }
}
