/**
 * Engine processes and a database under load and under faults, and the check of what they did: the
 * command {@code ./reprise chaos}, and the tools of the fault tests.
 */
@NullMarked
package dev.reprise.verification.chaos;

import org.jspecify.annotations.NullMarked;
