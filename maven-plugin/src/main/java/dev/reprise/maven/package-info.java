/**
 * The determinism guard in the build: a goal of Maven that runs it in a JVM of its own. This code
 * is for Java 17, on which Maven may run.
 */
@NullMarked
package dev.reprise.maven;

import org.jspecify.annotations.NullMarked;
