/**
 * Histories that are kept for ever, and the workflows that recorded them.
 *
 * <p>{@link dev.reprise.verification.histories.Scenarios} are workflows that together use all that
 * there is. Each version of the engine ran them once, and left its histories and its database in
 * {@code verification/histories}; the code of today must follow them. So the workflows here are
 * never changed, only new ones are added.
 */
@NullMarked
package dev.reprise.verification.histories;

import org.jspecify.annotations.NullMarked;
