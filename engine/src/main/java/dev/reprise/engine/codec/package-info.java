/**
 * Turns user values into bytes and back.
 *
 * <p>{@link dev.reprise.engine.codec.Codec} is the port, {@link dev.reprise.engine.codec.JsonCodec}
 * the default. {@link dev.reprise.engine.codec.Values} is how the engine uses a codec: with limits,
 * and with errors that name the value.
 */
@NullMarked
package dev.reprise.engine.codec;

import org.jspecify.annotations.NullMarked;
