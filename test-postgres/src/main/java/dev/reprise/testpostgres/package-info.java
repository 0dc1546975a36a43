/** A real PostgreSQL for tests, with every durability setting on, that may be killed. */
@NullMarked
package dev.reprise.testpostgres;

import org.jspecify.annotations.NullMarked;
