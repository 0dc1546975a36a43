package dev.reprise.verification.histories;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What every kept file must be: its SHA-256 and its name, a line each, as {@code sha256sum} writes
 * and checks them. Lines are added and never changed.
 */
final class Checksums {
  static final String FILE = "SHA256SUMS";
  private static final String GAP = "  ";

  private Checksums() {}

  /** The lines of the file, by name. */
  static SortedMap<String, String> listed(Path root) throws IOException {
    var sums = new TreeMap<String, String>();
    var file = root.resolve(FILE);
    if (Files.notExists(file)) return sums;
    for (var line : Files.readAllLines(file)) {
      var parts = line.split(GAP, 2);
      sums.put(parts[1], parts[0]);
    }
    return sums;
  }

  /** What the files in the folders really are, by name. */
  static SortedMap<String, String> actual(Path root) throws IOException {
    var sums = new TreeMap<String, String>();
    for (var file : kept(root)) {
      sums.put(root.relativize(file).toString().replace('\\', '/'), sum(file));
    }
    return sums;
  }

  private static List<Path> kept(Path root) throws IOException {
    try (var files = Files.walk(root)) {
      return files
          .filter(file -> Files.isRegularFile(file) && !root.equals(file.getParent()))
          .toList();
    }
  }

  static void write(Path root) throws IOException {
    var text =
        actual(root).entrySet().stream()
            .map(entry -> entry.getValue() + GAP + entry.getKey() + "\n")
            .collect(Collectors.joining());
    Files.writeString(root.resolve(FILE), text);
  }

  private static String sum(Path file) throws IOException {
    try {
      var digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
