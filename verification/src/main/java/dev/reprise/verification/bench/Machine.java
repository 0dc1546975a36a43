package dev.reprise.verification.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What one has to know about where and how figures were taken. */
final class Machine {
  private Machine() {}

  static Map<String, String> facts(Path folder, List<String> arguments) throws IOException {
    var facts = new LinkedHashMap<String, String>();
    var runtime = Runtime.getRuntime();
    facts.put("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    facts.put("command", String.join(" ", "./reprise bench", String.join(" ", arguments)).strip());
    facts.put("cores", Integer.toString(runtime.availableProcessors()));
    facts.put("load", load());
    facts.put("system", property("os.name") + " " + property("os.version"));
    facts.put("disk", Files.getFileStore(folder).type());
    facts.put("JDK", property("java.vm.name") + " " + property("java.vm.version"));
    facts.put("heap", "at most %,d MB".formatted(runtime.maxMemory() >> 20));
    facts.put("JVM options", String.join(" ", options()));
    return facts;
  }

  private static String property(String name) {
    return System.getProperty(name, "unknown");
  }

  /** What else the machine was busy with: figures of a machine that works are no good. */
  private static String load() {
    double average = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    if (average < 0) return "unknown";
    return String.format(Locale.ROOT, "%.2f in the minute before", average);
  }

  private static List<String> options() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments();
  }
}
