/**
 * The front door: {@link dev.reprise.engine.Reprise} opens an {@link dev.reprise.engine.Engine} on
 * a database.
 *
 * <p>Below it, in the order in which they build on each other: {@code event} (what happened),
 * {@code decide} (what happens next), {@code store} (the port to the database), {@code journal}
 * (group commit), {@code replay} (runs workflow code), {@code node} (one engine process). Beside
 * them {@code codec} and {@code bind}, which know user types.
 */
@NullMarked
package dev.reprise.engine;

import org.jspecify.annotations.NullMarked;
