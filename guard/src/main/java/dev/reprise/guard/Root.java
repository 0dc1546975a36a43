package dev.reprise.guard;

/**
 * Where the code of a workflow begins.
 *
 * @param workflow the class, or for a lambda the class it stands in
 * @param method {@code run}, or the body of the lambda
 */
record Root(String workflow, Member method) {}
