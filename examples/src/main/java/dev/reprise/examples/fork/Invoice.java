package dev.reprise.examples.fork;

/** What somebody abroad wants to have. */
public record Invoice(String from, long cents, String currency) {}
