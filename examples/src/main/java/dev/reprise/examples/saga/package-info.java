/**
 * Undoing: what was booked is cancelled again if the rest of the trip cannot be.
 *
 * <p>Start with {@link dev.reprise.examples.saga.TripBooking}.
 */
@NullMarked
package dev.reprise.examples.saga;

import org.jspecify.annotations.NullMarked;
