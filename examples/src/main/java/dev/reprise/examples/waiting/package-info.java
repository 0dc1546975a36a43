/**
 * Waiting: for a signal, for one of several, for a while, until a moment, for a condition.
 *
 * <p>A workflow that waits costs a parked virtual thread, and after a crash it waits on. {@link
 * dev.reprise.examples.waiting.VacationRequest} waits for one signal, {@link
 * dev.reprise.examples.waiting.ShoppingCart} for any, {@link dev.reprise.examples.waiting.Trial}
 * for time to pass, {@link dev.reprise.examples.waiting.Vote} for a condition.
 */
@NullMarked
package dev.reprise.examples.waiting;

import org.jspecify.annotations.NullMarked;
