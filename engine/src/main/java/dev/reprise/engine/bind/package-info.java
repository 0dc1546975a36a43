/**
 * Reads names and types from user code: workflow classes, method references, activity interfaces,
 * source lines. All reflection of the engine is here.
 */
@NullMarked
package dev.reprise.engine.bind;

import org.jspecify.annotations.NullMarked;
