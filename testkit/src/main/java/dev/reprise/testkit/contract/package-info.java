/**
 * What every store must do, as tests.
 *
 * <p>A store proves itself with a test class that implements {@link
 * dev.reprise.testkit.contract.StoreContract}. It brings a fresh, empty store for each test.
 */
@NullMarked
package dev.reprise.testkit.contract;

import org.jspecify.annotations.NullMarked;
