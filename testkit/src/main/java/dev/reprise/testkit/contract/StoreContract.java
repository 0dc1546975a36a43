package dev.reprise.testkit.contract;

/** Everything that a store must do. */
public interface StoreContract
    extends NodeContract,
        CommitContract,
        InputContract,
        ClaimContract,
        ReadContract,
        DamageContract,
        ListContract,
        FilterContract,
        HealthContract,
        LifeContract,
        DeliveryContract,
        ContinueContract,
        ReuseContract,
        RetentionContract,
        TaskContract,
        ReportContract,
        LeaseContract,
        QueueContract,
        QueuedStartContract {}
