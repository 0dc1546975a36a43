/**
 * How much of a queue may be handed out, and whose comes first. Start with {@link
 * dev.reprise.engine.queue.FlowControl}: pure decisions, of which each store asks the same.
 */
@NullMarked
package dev.reprise.engine.queue;

import org.jspecify.annotations.NullMarked;
