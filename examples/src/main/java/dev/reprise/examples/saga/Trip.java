package dev.reprise.examples.saga;

/** Where somebody wants to go, and what that may cost. */
public record Trip(String traveller, String to, long cents) {}
