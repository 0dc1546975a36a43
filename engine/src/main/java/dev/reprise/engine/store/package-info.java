/**
 * The port to the database: what a store must do, and {@link dev.reprise.engine.store.MemoryStore},
 * which says it in code.
 *
 * <p>Start with {@link dev.reprise.engine.store.Store}. Every store passes the same contract tests.
 */
@NullMarked
package dev.reprise.engine.store;

import org.jspecify.annotations.NullMarked;
