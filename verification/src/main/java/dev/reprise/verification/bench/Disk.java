package dev.reprise.verification.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * A disk as Linux knows it. It is the same for all processes, so others that write are counted too.
 *
 * @param number its major and minor number
 */
record Disk(String number) {
  private static final Path COUNTS = Path.of("/proc/diskstats");
  private static final int FLUSHES = 18; // the column, from 0; kernels before 5.5 have none

  /** The disk below a folder. */
  static Disk of(Path folder) throws IOException {
    long device = (Long) Files.getAttribute(folder, "unix:dev");
    long major = (device >>> 8) & 0xfff;
    long minor = (device & 0xff) | ((device >>> 12) & 0xfff00);
    return new Disk(whole(major + ":" + minor));
  }

  /** Flushes are counted for the whole disk only, not for its partitions. */
  private static String whole(String number) throws IOException {
    var device = Path.of("/sys/dev/block", number);
    if (!Files.exists(device.resolve("partition"))) return number;
    return Files.readString(device.toRealPath().resolveSibling("dev")).strip();
  }

  /** How often it was told to make durable what it has, if that is counted. */
  OptionalLong flushes() throws IOException {
    if (!Files.isReadable(COUNTS)) return OptionalLong.empty();
    try (var lines = Files.lines(COUNTS)) {
      return lines
          .map(line -> line.strip().split(" +"))
          .filter(words -> words.length > FLUSHES && number.equals(words[0] + ":" + words[1]))
          .mapToLong(words -> Long.parseLong(words[FLUSHES]))
          .findFirst();
    }
  }
}
