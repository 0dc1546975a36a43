/**
 * Makes transitions durable, those of many runs in one transaction.
 *
 * <p>Start with {@link dev.reprise.engine.journal.Journal}: one writer takes everything that is
 * queued, commits it, tells everybody who waits, and begins again. Batches grow by themselves under
 * load, and a lone workflow waits for nobody.
 */
@NullMarked
package dev.reprise.engine.journal;

import org.jspecify.annotations.NullMarked;
