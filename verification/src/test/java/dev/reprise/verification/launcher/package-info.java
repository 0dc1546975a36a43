/** The script {@code reprise}, by what it starts. */
package dev.reprise.verification.launcher;
