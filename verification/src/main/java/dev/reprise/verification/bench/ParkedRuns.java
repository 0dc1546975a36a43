package dev.reprise.verification.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * How much memory runs take that wait for a signal, in a process of its own with a small heap.
 *
 * @param count how many runs
 * @param sample how many of them are sent their signal in the end
 * @param heap of that process, as the JVM's option has it
 */
record ParkedRuns(int count, int sample, String heap) implements Workload {
  static final String ID = "parked";

  @Override
  public String id() {
    return ID;
  }

  @Override
  public void measure(Site site, Report report) throws IOException, InterruptedException {
    var setting = String.format(Locale.ROOT, "%,d runs in %s", count, heap);
    report.begin(this, site, setting);
    var folder = Files.createTempDirectory(site.folder(), ID);
    var process =
        new ProcessBuilder(command(site.kind(), folder)).redirectError(Redirect.INHERIT).start();
    var series = new Series();
    try (var lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        var parts = line.split("=", 2);
        series.add(parts[0], Double.parseDouble(parts[1]));
      }
    } finally {
      process.destroy(); // it has ended, unless this thread gave up
    }
    int exit = process.waitFor();
    if (exit != 0) throw new IllegalStateException("the process with the runs ended with " + exit);
    report.add(this, site, setting, series);
  }

  private List<String> command(StoreKind kind, Path folder) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "--enable-native-access=ALL-UNNAMED",
        "-Xmx" + heap,
        "-cp",
        System.getProperty("java.class.path"),
        ParkingProcess.class.getName(),
        kind.name(),
        folder.toString(),
        Integer.toString(count),
        Integer.toString(sample));
  }
}
