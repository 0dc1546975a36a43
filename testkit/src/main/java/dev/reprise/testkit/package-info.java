/**
 * For tests of workflows, on the real engine.
 *
 * <p>Users start with {@link dev.reprise.testkit.RepriseTest}, {@link
 * dev.reprise.testkit.TestEngine} and {@link dev.reprise.testkit.RepriseAssertions}; {@link
 * dev.reprise.testkit.CrashEverywhere} repeats a test with a crash after each event. The parts
 * below are of use by themselves: {@link dev.reprise.testkit.VirtualTime}, which a test moves, and
 * {@link dev.reprise.testkit.CrashingStore}, whose engine dies at a chosen moment.
 */
@NullMarked
package dev.reprise.testkit;

import org.jspecify.annotations.NullMarked;
