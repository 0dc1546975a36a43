/**
 * Random workflows: a run that crashes after every transition ends like one that never does, and
 * code that did not change is never accused.
 *
 * <p>Start with {@link dev.reprise.verification.property.ReplayEquivalenceTest}. A failing case
 * prints its seed and the smallest program that still fails.
 */
package dev.reprise.verification.property;
