package dev.reprise.examples.queues;

import java.util.List;

/** What is to be produced, and for whom. */
public record Film(String title, String customer, List<Scene> scenes) {
  public Film {
    scenes = List.copyOf(scenes);
  }
}
