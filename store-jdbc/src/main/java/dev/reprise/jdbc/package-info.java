/**
 * Keeps histories in a relational database: SQLite, a file in the process of the engine, or
 * PostgreSQL, for many engines.
 *
 * <p>Start with {@code SqliteStore} or {@code PostgresStore}, which put the parts together. They
 * have the same: a writer commits, claims take over runs, nodes are who may write, a reader reads.
 * {@code SqliteFile} and {@code PostgresOpening} refuse what is not ours, {@code Migrator} brings
 * the schema up to date.
 *
 * <p>SQLite has one connection that writes and {@code EngineLock} to keep a second engine out.
 * PostgreSQL has {@code Lane}s of connections, which may break at any time: {@code
 * PostgresReceipts} finds out what became of a batch whose answer was lost. {@code Presence} shows
 * the other nodes that this process lives, {@code Notifier} tells them what is ready.
 *
 * <p>All of them speak SQL through {@code Jdbc} or {@code Session}, which let no {@link
 * java.sql.SQLException} out.
 */
@NullMarked
package dev.reprise.jdbc;

import org.jspecify.annotations.NullMarked;
