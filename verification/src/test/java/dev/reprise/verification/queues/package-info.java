/** Workflows and activities that wait on queues, and who runs them. */
@NullMarked
package dev.reprise.verification.queues;

import org.jspecify.annotations.NullMarked;
