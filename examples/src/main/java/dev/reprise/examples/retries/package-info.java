/**
 * What happens when an activity fails: another attempt, giving up, or another way.
 *
 * <p>Start with {@link dev.reprise.examples.retries.BookRoom}.
 */
@NullMarked
package dev.reprise.examples.retries;

import org.jspecify.annotations.NullMarked;
