package dev.reprise.examples.inside;

/** What a customer wants to borrow. */
public record Loan(String customer, long cents) {}
