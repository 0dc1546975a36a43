package dev.reprise.testpostgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/** The programs of PostgreSQL, unpacked once a machine from the archive on the class path. */
final class Binaries {
  private static final int EXECUTABLE = 0100; // by its owner

  private Binaries() {}

  /** The folder that has {@code bin/postgres}. */
  static Path folder() {
    try {
      var name = "reprise-postgres-" + System.getProperty("user.name") + "-" + hash();
      var folder = Folders.temporary().resolve(name);
      return Files.exists(folder) ? folder : unpack(folder);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot unpack PostgreSQL", e);
    }
  }

  /** Several processes may do this at once: each unpacks for itself, the first one's is kept. */
  private static Path unpack(Path folder) throws IOException {
    var fresh = Folders.create(Folders.temporary(), "reprise-postgres-unpack-");
    try (var tar = new TarArchiveInputStream(new XZInputStream(archive()))) {
      for (var entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        unpack(tar, entry, fresh);
      }
    }
    try {
      Files.move(fresh, folder, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      Folders.delete(fresh);
      if (!Files.exists(folder)) throw e;
    }
    return folder;
  }

  private static void unpack(TarArchiveInputStream tar, TarArchiveEntry entry, Path folder)
      throws IOException {
    var target = folder.resolve(entry.getName()).normalize();
    if (!target.startsWith(folder)) throw new IOException("outside its folder: " + entry.getName());
    if (entry.isDirectory()) {
      Files.createDirectories(target);
      return;
    }
    Files.createDirectories(target.resolveSibling("."));
    if (entry.isSymbolicLink()) {
      Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
      return;
    }
    Files.copy(tar, target);
    if ((entry.getMode() & EXECUTABLE) != 0 && !target.toFile().setExecutable(true)) {
      throw new IOException("cannot be made executable: " + target);
    }
  }

  private static String hash() throws IOException {
    try (var archive = new DigestInputStream(archive(), MessageDigest.getInstance("SHA-256"))) {
      archive.transferTo(OutputStream.nullOutputStream());
      return HexFormat.of().formatHex(archive.getMessageDigest().digest(), 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static InputStream archive() throws IOException {
    var name = "/postgres-" + system() + ".txz";
    var archive = Binaries.class.getResourceAsStream(name);
    if (archive != null) return archive;
    throw new IOException(
        "there is no "
            + name
            + " on the class path; set REPRISE_TEST_POSTGRES=jdbc:postgresql://…");
  }

  private static String system() {
    var os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    var arch = System.getProperty("os.arch");
    return (os.startsWith("mac") ? "darwin" : os)
        + (arch.equals("aarch64") ? "-arm_64" : "-x86_64");
  }
}
