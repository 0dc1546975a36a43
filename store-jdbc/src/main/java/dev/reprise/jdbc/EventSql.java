package dev.reprise.jdbc;

/** How events get into their table: as the arrays of {@link EventArrays#columns}. */
final class EventSql {
  private EventSql() {}

  /**
   * Others join it with the runs that are to have their events. In a list of columns, PostgreSQL
   * takes the next element of each array for the next row; in {@code FROM} it would copy every
   * array into a table first.
   */
  static final String RECORD =
      """
      INSERT INTO events (run_key, idx, type, at, site, attributes, value, checksum)
      SELECT event.run_key, (idx_checksum >> 32)::int, type,
             timestamptz 'epoch' + at * interval '1 microsecond', site, attributes, value,
             (idx_checksum << 32 >> 32)::int
        FROM (SELECT unnest(?::bigint[]) AS run_key, unnest(?::bigint[]) AS idx_checksum,
                     unnest(?::int[]) AS type, unnest(?::bigint[]) AS at,
                     unnest(?::text[]) AS site, unnest(?::bytea[]) AS attributes,
                     unnest(?::bytea[]) AS value) AS event
      """;
}
