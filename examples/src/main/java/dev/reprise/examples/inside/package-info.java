/**
 * Looking inside of running workflows, and finding them.
 *
 * <p>Start with {@link dev.reprise.examples.inside.LoanApplication}; {@link
 * dev.reprise.examples.inside.LoanDesk} is what others ask it.
 */
@NullMarked
package dev.reprise.examples.inside;

import org.jspecify.annotations.NullMarked;
