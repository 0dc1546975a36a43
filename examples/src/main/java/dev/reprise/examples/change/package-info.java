/**
 * Changing a workflow while some of its runs are open.
 *
 * <p>Start with {@link dev.reprise.examples.change.Subscription}; its test begins runs with the
 * code of yesterday and ends them with the code of today.
 */
@NullMarked
package dev.reprise.examples.change;

import org.jspecify.annotations.NullMarked;
