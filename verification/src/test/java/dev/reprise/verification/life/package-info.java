/** The whole life of a workflow: cancel, undo, children, going on for ever, requests, forks. */
@NullMarked
package dev.reprise.verification.life;

import org.jspecify.annotations.NullMarked;
