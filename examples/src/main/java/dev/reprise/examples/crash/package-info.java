/**
 * What a crash does to a workflow: nothing that completed is done again.
 *
 * <p>{@link dev.reprise.examples.crash.Transfer} is the workflow; its test kills the engine at the
 * two interesting moments.
 */
@NullMarked
package dev.reprise.examples.crash;

import org.jspecify.annotations.NullMarked;
