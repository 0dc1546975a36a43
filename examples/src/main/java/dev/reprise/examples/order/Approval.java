package dev.reprise.examples.order;

/** Somebody has looked at the order and agrees. */
public record Approval(String by) {}
