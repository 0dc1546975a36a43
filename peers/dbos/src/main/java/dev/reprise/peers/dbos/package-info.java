/**
 * DBOS Transact as a contestant of the benchmark: {@code ./reprise bench --peer dbos}.
 *
 * <p>{@code Dbos} is what the benchmark finds, {@code DbosEngine} the library at work, {@code Jobs}
 * and {@code DbosJobs} the workflows, and {@code DbosRecords} what its tables say.
 */
@NullMarked
package dev.reprise.peers.dbos;

import org.jspecify.annotations.NullMarked;
