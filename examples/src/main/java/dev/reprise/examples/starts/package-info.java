/** Workflows that begin on a queue, later, or once for many starts. */
@NullMarked
package dev.reprise.examples.starts;

import org.jspecify.annotations.NullMarked;
