package dev.reprise.engine;

import java.lang.reflect.Type;

/**
 * A workflow that an engine can run.
 *
 * @param name under which it is started and recorded
 * @param input what it is started with
 * @param output what it returns
 */
public record RegisteredWorkflow(String name, Type input, Type output) {}
