package dev.reprise.engine.store;

import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Opens stores. Found with {@link java.util.ServiceLoader}. */
public interface StoreProvider {

  /** The store of that URL, or empty if this provider does not know such URLs. */
  Optional<Store> open(String url, Options options);

  /**
   * The store of these connections, which stay the caller's, or empty if this provider does not
   * know their database.
   */
  default Optional<Store> open(DataSource connections, Options options) {
    return Optional.empty();
  }

  /**
   * How to open.
   *
   * @param migrate whether to bring the schema up to date, or only to check it
   * @param readOnly whether only reading is wanted, beside a running engine
   * @param wakeups how processes on one database tell each other that something is ready
   * @param schema which has the tables, or null for the default; for databases that have schemas
   */
  record Options(boolean migrate, boolean readOnly, WakeupMode wakeups, @Nullable String schema) {
    public Options(boolean migrate, boolean readOnly) {
      this(migrate, readOnly, WakeupMode.AUTO);
    }

    public Options(boolean migrate, boolean readOnly, WakeupMode wakeups) {
      this(migrate, readOnly, wakeups, null);
    }
  }
}
