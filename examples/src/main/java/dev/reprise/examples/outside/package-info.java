/**
 * An activity that somebody outside completes: a person who signs, a service that calls back.
 *
 * <p>Start with {@link dev.reprise.examples.outside.Hiring}; {@link
 * dev.reprise.examples.outside.SigningService} asks, and {@link
 * dev.reprise.examples.outside.SigningDesk} has the answer.
 */
@NullMarked
package dev.reprise.examples.outside;

import org.jspecify.annotations.NullMarked;
