package dev.reprise.testkit.contract;

/** Everything that a store must do. */
public interface StoreContract
    extends NodeContract,
        CommitContract,
        InputContract,
        ClaimContract,
        ReadContract,
        HealthContract {}
