/**
 * Examines a database: whether all that must hold at every commit does hold.
 *
 * <p>Start with {@link dev.reprise.engine.doctor.Doctor}. It reads through the port of the store
 * and changes nothing, so it works on every store, also beside running engines.
 */
@NullMarked
package dev.reprise.engine.doctor;

import org.jspecify.annotations.NullMarked;
