/**
 * Code that does the same on every replay, and what the determinism guard says of other code.
 *
 * <p>Start with {@link dev.reprise.examples.guard.Stocktake}; its test has a workflow that does
 * much wrong.
 */
@NullMarked
package dev.reprise.examples.guard;

import org.jspecify.annotations.NullMarked;
