/**
 * Workflows that start workflows: an order that is sent in several shipments.
 *
 * <p>Start with {@link dev.reprise.examples.children.Fulfilment}.
 */
@NullMarked
package dev.reprise.examples.children;

import org.jspecify.annotations.NullMarked;
