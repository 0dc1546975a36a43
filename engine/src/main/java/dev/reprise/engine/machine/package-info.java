/**
 * What the engine takes from the machine it runs on: threads, the passing of time, luck. A test
 * that wants to decide who runs next, and how long everything takes, gives it another machine.
 */
@NullMarked
package dev.reprise.engine.machine;

import org.jspecify.annotations.NullMarked;
