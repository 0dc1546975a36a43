/**
 * Workflows that go on for years without a long history.
 *
 * <p>Start with {@link dev.reprise.examples.endless.Membership}; {@link
 * dev.reprise.examples.endless.PointsAccount} does the same by hand.
 */
@NullMarked
package dev.reprise.examples.endless;

import org.jspecify.annotations.NullMarked;
