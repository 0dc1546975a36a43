package dev.reprise.verification.simulation;

/** Activities on queues. */
interface Jobs {

  /** What an attempt does. */
  enum Kind {
    /** Works, and returns. */
    WORKS,
    /** Fails so many times first. */
    FAILS,
    /** The same, and says when to come again. */
    POSTPONES,
    /** Fails for good. */
    GIVES_UP,
    /** Works in so many parts with a heartbeat after each, and goes on where the last one was. */
    BEATS,
    /** Is silent for too long the first time, and returns what nobody wants any more. */
    DAWDLES,
    /** Kills its process so many times first. */
    KILLS,
    /** Leaves it to somebody outside. */
    DELEGATES
  }

  /**
   * @param times how often, or how many parts
   * @param millis how long an attempt takes, or a part of it
   */
  record Job(String path, Kind kind, int times, int millis) {
    Job at(String place) {
      return new Job(place, kind, times, millis);
    }
  }

  /** Returns something that no other attempt returns. */
  String job(Job job);
}
