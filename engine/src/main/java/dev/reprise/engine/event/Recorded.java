package dev.reprise.engine.event;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An event in its place in a history.
 *
 * @param index from 1, without gaps
 * @param at when it was recorded, never before the event ahead of it
 * @param site the line of workflow code that caused it, if code did
 * @param event what happened
 */
public record Recorded(int index, Instant at, @Nullable String site, Event event) {}
