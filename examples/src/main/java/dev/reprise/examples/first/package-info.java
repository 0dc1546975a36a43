/**
 * The first workflow: two steps, each done once, whatever happens to the process.
 *
 * <p>Start with {@link dev.reprise.examples.first.SignUp}, then run {@link
 * dev.reprise.examples.first.FirstRun} twice.
 */
@NullMarked
package dev.reprise.examples.first;

import org.jspecify.annotations.NullMarked;
