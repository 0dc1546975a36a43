/**
 * Keeps the documentation true: what it includes, where it links to, and what it must not leave
 * out.
 *
 * <p>Start with {@link dev.reprise.verification.docs.DocsTest}. {@code ./reprise docs} brings the
 * included code up to date.
 */
package dev.reprise.verification.docs;
