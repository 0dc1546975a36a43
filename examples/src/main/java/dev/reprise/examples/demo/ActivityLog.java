package dev.reprise.examples.demo;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A file to which the activities of all lives append what they do. */
record ActivityLog(Path file) {

  /** What an activity has to say. */
  enum Moment {
    BEGINS,
    DONE
  }

  /** One line of the file. */
  record Entry(int life, Moment moment, String activity) {
    private static Entry of(String line) {
      var parts = line.split(" ", 3);
      return new Entry(Integer.parseInt(parts[0]), Moment.valueOf(parts[1]), parts[2]);
    }

    @Override
    public String toString() {
      return life + " " + moment + " " + activity;
    }
  }

  boolean exists() {
    return Files.exists(file);
  }

  void clear() throws IOException {
    Files.writeString(file, "");
  }

  /** One write of one line, so lines of activities that run at the same time do not mix. */
  void append(Entry entry) {
    try {
      Files.writeString(file, entry + "\n", CREATE, APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<Entry> read() {
    try {
      return Files.readAllLines(file).stream().map(Entry::of).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
