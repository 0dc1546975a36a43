/**
 * Checks new code against the runs of a database before it is deployed.
 *
 * <p>Start with {@link dev.reprise.engine.gate.ReplayGate}, which reads a store and rehearses what
 * it finds there. {@link dev.reprise.engine.gate.GateReport} is what came of it, and {@link
 * dev.reprise.engine.gate.GateText} how people read it.
 */
@NullMarked
package dev.reprise.engine.gate;

import org.jspecify.annotations.NullMarked;
