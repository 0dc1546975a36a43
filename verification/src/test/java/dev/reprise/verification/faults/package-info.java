/**
 * Real processes that are killed with {@code kill -9} under load, and what must be true afterwards.
 */
package dev.reprise.verification.faults;
