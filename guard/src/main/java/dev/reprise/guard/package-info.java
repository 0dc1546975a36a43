/**
 * The determinism guard: reads the bytecode of workflows and reports what would be different on
 * replay, such as clocks, random numbers, threads and I/O.
 *
 * <p>{@link dev.reprise.guard.DeterminismGuard} is the way in. It finds the workflows ({@code
 * Roots}), follows their code as far as it is the user's own ({@code Reach}), and learns about each
 * method by running it with values of which it knows only where they come from ({@code MethodWalk},
 * {@code Effects}, {@code Uses}). What is not allowed is a table ({@code Catalogue}); what is not
 * allowed in code that may only look is in {@code Changes}.
 */
@NullMarked
package dev.reprise.guard;

import org.jspecify.annotations.NullMarked;
