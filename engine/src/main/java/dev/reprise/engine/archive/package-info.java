/**
 * Histories outside of databases: as files, to be kept, sent and replayed.
 *
 * <p>Start with {@link dev.reprise.engine.archive.HistoryJson}. The format is a promise, as the
 * rows of the database are: what any release wrote, every later one reads.
 */
@NullMarked
package dev.reprise.engine.archive;

import org.jspecify.annotations.NullMarked;
