/**
 * Many engines, clients and a database in one JVM, on a clock and a scheduler that one number
 * decides: the command {@code ./reprise simulate}.
 *
 * <p>The engine is the real one, with its real threads' code. What is simulated is what it stands
 * on: its {@link dev.reprise.engine.machine.Machine} and its {@link
 * dev.reprise.engine.store.Store}. The same seed gives the same simulation, to the last step.
 */
@NullMarked
package dev.reprise.verification.simulation;

import org.jspecify.annotations.NullMarked;
