package dev.reprise.examples.order;

/** How an order ended. */
public record Receipt(String payment, String approvedBy, String shipment) {}
