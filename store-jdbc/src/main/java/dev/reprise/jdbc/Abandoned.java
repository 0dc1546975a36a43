package dev.reprise.jdbc;

import dev.reprise.Texts;
import dev.reprise.engine.store.Store.StoreUnavailable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Backends of connections that were given up. A server notices that by itself only when it reads
 * from the connection or writes to it, and a backend that waits for a synchronous standby does
 * neither: there would be one more each time that we give up waiting for an answer. So the next
 * connection ends them.
 */
final class Abandoned {
  private static final Logger LOG = LoggerFactory.getLogger(Abandoned.class);
  private static final int MAX_KNOWN = 100; // more than an engine has connections

  private final List<Backend> backends = new ArrayList<>();

  /** A process of the server: its number may be given again, but not at the same time. */
  record Backend(int pid, Instant since) {}

  static final String SELF =
      """
      SELECT pid, backend_start
        FROM pg_stat_activity
       WHERE pid = pg_backend_pid() AND backend_start IS NOT NULL
      """;

  /** The backend of a connection; none if its role may not see since when it is there. */
  static Optional<Backend> of(Session session) {
    return session.first(
        SELF, columns -> new Backend(columns.getInt(1), PostgresTimes.instant(columns, 2)));
  }

  synchronized void add(Backend backend) {
    if (backends.size() < MAX_KNOWN) backends.add(backend);
  }

  /** An idle one reads from its connection, and so ends by itself. */
  static final String END =
      """
      SELECT pg_terminate_backend(pid)
        FROM pg_stat_activity
       WHERE pid = ? AND pid <> pg_backend_pid() AND state <> 'idle' AND usename = current_user
         AND backend_start = timestamptz 'epoch' + ? * interval '1 microsecond'
      """;

  /** Ends them from another connection. What cannot be ended now is not tried again. */
  void endAll(Session session) {
    for (var backend : takeAll()) {
      try {
        var ended =
            session.first(END, columns -> columns.getBoolean(1), backend.pid(), backend.since());
        if (ended.orElse(false)) LOG.debug("ended the abandoned backend {}", backend.pid());
      } catch (StoreUnavailable failure) {
        LOG.debug("could not end the abandoned backend {}", backend.pid(), Texts.shown(failure));
        if (session.isBroken()) throw failure;
      }
    }
  }

  private synchronized List<Backend> takeAll() {
    var all = List.copyOf(backends);
    backends.clear();
    return all;
  }
}
