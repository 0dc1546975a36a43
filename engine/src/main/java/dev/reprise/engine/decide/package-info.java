/**
 * Decides what happens next, and nothing else.
 *
 * <p>Start with {@link dev.reprise.engine.decide.Decider}. Nothing here reads a clock, opens a
 * connection, starts a thread or logs: time and luck are arguments. That is what makes every
 * decision repeatable, and every bug report a unit test.
 */
@NullMarked
package dev.reprise.engine.decide;

import org.jspecify.annotations.NullMarked;
