/**
 * Several things at once, in the same order each time the code runs.
 *
 * <p>{@link dev.reprise.examples.parallel.PriceSurvey} wants all answers, {@link
 * dev.reprise.examples.parallel.TaxiCall} the first good one, {@link
 * dev.reprise.examples.parallel.Auction} whatever happens first, and {@link
 * dev.reprise.examples.parallel.Translation} an answer in time. Workflow code needs no locks for
 * this: branches take turns, and only activities really run at the same time.
 */
@NullMarked
package dev.reprise.examples.parallel;

import org.jspecify.annotations.NullMarked;
