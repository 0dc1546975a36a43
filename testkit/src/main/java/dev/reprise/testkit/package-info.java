/**
 * For tests: time that a test moves, crashes at chosen moments. The engine under test is always the
 * real one.
 */
@NullMarked
package dev.reprise.testkit;

import org.jspecify.annotations.NullMarked;
