package dev.reprise.engine.store;

import java.time.Instant;

/**
 * A signal that was accepted and is not in a history yet.
 *
 * @param id given by the store, ascending in the order of acceptance; 0 before that
 * @param run for which run
 * @param signal its name
 * @param value as the codec wrote it
 * @param acceptedAt when
 */
public record InputRow(long id, long run, String signal, byte[] value, Instant acceptedAt) {}
