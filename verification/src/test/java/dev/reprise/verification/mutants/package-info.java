/**
 * What mutation testing found, for people.
 *
 * <p>{@link dev.reprise.verification.mutants.Scores} is also run from source by {@code ./reprise
 * mutants}, and therefore needs nothing but the JDK.
 */
package dev.reprise.verification.mutants;
