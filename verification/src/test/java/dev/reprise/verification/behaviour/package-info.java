/**
 * What the engine promises, theme by theme, on the real engine.
 *
 * <p>Start with {@code World}, in which engines live, crash and follow each other on one store.
 * Where the store matters a test class runs once for each {@code StoreKind}.
 */
package dev.reprise.verification.behaviour;
