/**
 * An order from the shelf to the door: steps, a signal with a time limit, parallel work, a sleep.
 *
 * <p>Start with {@link dev.reprise.examples.order.Checkout}. The demo runs it and kills its process
 * in the middle.
 */
@NullMarked
package dev.reprise.examples.order;

import org.jspecify.annotations.NullMarked;
