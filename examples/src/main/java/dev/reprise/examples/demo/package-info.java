/**
 * The guided tour: an order whose process is killed in the middle, and which is finished all the
 * same.
 *
 * <p>{@link dev.reprise.examples.demo.Demo} tells the story. It starts a process for each {@link
 * dev.reprise.examples.demo.Life} of the engine, both on the same database file. The activities
 * write what they do to an {@link dev.reprise.examples.demo.ActivityLog} of their own, so that the
 * engine is not the only witness that nothing was done twice.
 */
@NullMarked
package dev.reprise.examples.demo;

import org.jspecify.annotations.NullMarked;
