package dev.reprise.examples.queues;

import java.util.List;

// tag::interface[]
/** Work for machines with a graphics card. */
public interface Studio {
  /** Makes pictures of a scene, and returns the file that has them. */
  String render(Scene scene) throws Exception;

  /** Puts files together. */
  String cut(List<String> files);

  /** Makes a small picture for the catalogue. */
  void preview(String title);
}
// end::interface[]
