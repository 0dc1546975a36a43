/**
 * What happened: the facts of a run, what they add up to, and how they are written down.
 *
 * <p>Start with {@link dev.reprise.engine.event.Event}; {@link dev.reprise.engine.event.RunState}
 * is the fold of them. Nothing here reads a clock, starts a thread or touches the outside.
 */
@NullMarked
package dev.reprise.engine.event;

import org.jspecify.annotations.NullMarked;
