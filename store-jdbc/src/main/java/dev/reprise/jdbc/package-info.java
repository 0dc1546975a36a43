/**
 * Keeps histories in a relational database: SQLite, a file in the process of the engine.
 *
 * <p>Start with {@code SqliteStore}, which puts the parts together: {@code SqliteWriter} commits,
 * {@code SqliteClaims} takes over runs, {@code SqliteReader} reads. {@code SqliteFile} opens the
 * file and refuses what is not ours, {@code EngineLock} keeps a second engine out, {@code Migrator}
 * brings the schema up to date. All of them speak SQL through {@code Jdbc}, the only place that
 * sees an {@link java.sql.SQLException}.
 */
@NullMarked
package dev.reprise.jdbc;

import org.jspecify.annotations.NullMarked;
