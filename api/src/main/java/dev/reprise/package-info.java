/**
 * What a workflow author imports.
 *
 * <p>Start with {@link dev.reprise.Workflow} and {@link dev.reprise.Context}: a workflow is a class
 * with one method, and everything durable it can do is a method of the context. {@link
 * dev.reprise.Client} is how the outside world starts workflows and talks to them.
 *
 * <p>Nothing here depends on anything but the JDK.
 */
@NullMarked
package dev.reprise;

import org.jspecify.annotations.NullMarked;
