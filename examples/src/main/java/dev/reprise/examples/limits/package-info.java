/** Limits of queues: how much of one runs at once, and for whom first. */
@NullMarked
package dev.reprise.examples.limits;

import org.jspecify.annotations.NullMarked;
