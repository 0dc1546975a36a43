package dev.reprise.peers.dbos;

/** The workflows, as the library wants to have them: behind an interface. */
public interface Jobs {
  int sequence(int steps);

  int parallel(int width);

  /** One of those that run in parallel. */
  int task(int index);

  int waiting(int number);

  int sleeping(int millis);

  int logged(int steps);
}
