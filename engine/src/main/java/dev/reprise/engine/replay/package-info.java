/**
 * Runs workflow code: against its history until that is used up, and live from there on.
 *
 * <p>Start with {@link dev.reprise.engine.replay.LiveRun}, a run in memory. Its code runs on {@code
 * Fiber}s, virtual threads of which exactly one holds the run's {@code Baton}; {@code RunContext}
 * is what the code sees. Everything that comes from outside waits in the baton's mailbox for its
 * turn. The rest of the engine is reached through {@link dev.reprise.engine.replay.RunPort} only.
 *
 * <p>Live and replay are the same code: one event is delivered, all branches run until all wait,
 * then comes the next event, from the history if it has one, else from the mailbox. That is why a
 * run that crashed after every event ends like one that did not.
 */
@NullMarked
package dev.reprise.engine.replay;

import org.jspecify.annotations.NullMarked;
