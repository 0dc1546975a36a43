package dev.reprise.engine.replay;

import dev.reprise.RetryPolicy;
import dev.reprise.engine.bind.ActivityRegistry;
import dev.reprise.engine.codec.Values;
import dev.reprise.engine.machine.Machine;

/**
 * What all runs of an engine share.
 *
 * @param values how values become bytes
 * @param activities objects that proxies call
 * @param retry for activities that say nothing else
 * @param machine where its threads come from
 */
public record RunSettings(
    Values values, ActivityRegistry activities, RetryPolicy retry, Machine machine) {}
