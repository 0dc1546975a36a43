package dev.reprise.engine.store;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A task in the hands of a worker.
 *
 * @param ref which
 * @param queue from which
 * @param attempt the how manieth time it was handed out, from 1
 * @param hand of the call that took it: what is given back has its attempt again, but another hand
 * @param leaseUntil when it is handed out again if nothing is heard by then
 * @param deadline when the attempt must have ended, or null
 * @param event that asked for it; of a run, the first of its history, which is not recorded yet
 * @param workflowId whose it is
 * @param runId which run of that
 * @param heartbeat details of the last heartbeat of an attempt before, or null
 */
public record Handout(
    TaskRef ref,
    String queue,
    int attempt,
    UUID hand,
    Instant leaseUntil,
    @Nullable Instant deadline,
    EventRow event,
    String workflowId,
    UUID runId,
    byte @Nullable [] heartbeat) {}
