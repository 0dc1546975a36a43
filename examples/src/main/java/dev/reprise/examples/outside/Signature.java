package dev.reprise.examples.outside;

/** Who has signed, and where the signed paper is. */
public record Signature(String by, String document) {}
