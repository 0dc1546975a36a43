/**
 * Several processes on one PostgreSQL database: who runs, who asks, and who looks after it.
 *
 * <p>{@link dev.reprise.examples.cluster.Delivery} is the workflow, {@link
 * dev.reprise.examples.cluster.Depot} an engine among several, {@link
 * dev.reprise.examples.cluster.ScanDesk} a client that runs nothing itself, {@link
 * dev.reprise.examples.cluster.Supervision} what somebody needs who has to help runs on.
 */
@NullMarked
package dev.reprise.examples.cluster;

import org.jspecify.annotations.NullMarked;
