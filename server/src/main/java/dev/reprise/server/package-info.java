/**
 * The command line.
 *
 * <p>Start with {@link dev.reprise.server.Main}. Each command is a class; what it prints for people
 * is a {@link dev.reprise.server.Table}, and what it prints for programs is {@link
 * dev.reprise.server.Json}. Commands that only look read a database without writing to it, so they
 * work beside a running engine; the others come in as clients ({@code Reading.visit}).
 */
@NullMarked
package dev.reprise.server;

import org.jspecify.annotations.NullMarked;
