/**
 * One engine process: which runs it has in memory, when they go on, how they come and go.
 *
 * <p>Start with {@link dev.reprise.engine.node.Node}. Around it: {@code Admission} bounds how many
 * runs are active, {@code ParkedRuns} how much memory the waiting ones take, {@code Timers} wakes
 * them, {@code Recovery} brings back from the store what is due.
 */
@NullMarked
package dev.reprise.engine.node;

import org.jspecify.annotations.NullMarked;
