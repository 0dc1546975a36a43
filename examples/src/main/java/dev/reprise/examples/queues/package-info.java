/**
 * Activities on a queue: heavy work that other processes do.
 *
 * <p>Start with {@link dev.reprise.examples.queues.FilmProduction}; {@link
 * dev.reprise.examples.queues.Renderer} is what workers run, and {@link
 * dev.reprise.examples.queues.RenderFarm} a process that has nothing but workers.
 */
@NullMarked
package dev.reprise.examples.queues;

import org.jspecify.annotations.NullMarked;
