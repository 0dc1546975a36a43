/**
 * Runs what is on queues. Start with {@link dev.reprise.engine.task.Worker}, which takes tasks and
 * makes attempts; {@link dev.reprise.engine.task.Sweep} looks after those of which nothing is heard
 * any more; {@link dev.reprise.engine.task.TaskDecider} says what becomes of them.
 */
@NullMarked
package dev.reprise.engine.task;

import org.jspecify.annotations.NullMarked;
