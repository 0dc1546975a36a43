/**
 * The language in which runs are looked for: its text, what it means, and whether a run matches.
 *
 * <p>Start with {@link dev.reprise.engine.filter.Filter}. Nothing here reads a clock or a database;
 * stores translate a filter, or ask it run by run. {@code docs/reference/filters.md} has the
 * grammar.
 */
@NullMarked
package dev.reprise.engine.filter;

import org.jspecify.annotations.NullMarked;
