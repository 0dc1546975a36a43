/**
 * Ending early: a caller who cancels, a time limit, branches that end together.
 *
 * <p>Start with {@link dev.reprise.examples.cancel.TicketOrder}.
 */
@NullMarked
package dev.reprise.examples.cancel;

import org.jspecify.annotations.NullMarked;
