package dev.reprise.engine.replay;

import org.jspecify.annotations.Nullable;

/**
 * Code that goes on with a run whose history does not say so yet.
 *
 * @param hash of the code that is here
 * @param before hash of the code that ran the run last; null if no code with a known hash did
 * @param first whether the history must say so durably before an activity of the code begins; else
 *     it is recorded with whatever the run writes next
 */
public record NewCode(String hash, @Nullable String before, boolean first) {}
