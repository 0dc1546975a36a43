/** What callers give and get, at every door and on every store: ids, texts, limits. */
@NullMarked
package dev.reprise.verification.doors;

import org.jspecify.annotations.NullMarked;
