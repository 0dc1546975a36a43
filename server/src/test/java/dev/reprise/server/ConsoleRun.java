package dev.reprise.server;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/**
 * What came of a command.
 *
 * @param exitCode as a shell sees it
 * @param out what it printed
 * @param err what it complained about
 */
record ConsoleRun(int exitCode, String out, String err) {

  static ConsoleRun of(String... arguments) {
    var out = new StringWriter();
    var err = new StringWriter();
    int exitCode =
        Main.commandLine(new PrintWriter(out, true), new PrintWriter(err, true)).execute(arguments);
    return new ConsoleRun(exitCode, out.toString(), err.toString());
  }

  List<String> lines() {
    return out.lines().toList();
  }
}
