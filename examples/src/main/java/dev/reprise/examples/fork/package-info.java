/**
 * Repairing: a run that was given a wrong rate is done again from there with the right one.
 *
 * <p>Start with {@link dev.reprise.examples.fork.Settlement}.
 */
@NullMarked
package dev.reprise.examples.fork;

import org.jspecify.annotations.NullMarked;
