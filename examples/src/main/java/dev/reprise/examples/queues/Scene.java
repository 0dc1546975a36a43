package dev.reprise.examples.queues;

/** A part of a film, of so many frames. */
public record Scene(String name, int frames) {}
