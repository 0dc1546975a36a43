package dev.reprise.jdbc;

import java.util.UUID;

/**
 * What a batch shows at the fence, in the order of {@code reprise_fence}.
 *
 * @param node the number of the node
 * @param before the sequence of its last batch
 * @param batch the id of this one: its receipt
 */
record Fence(int node, long before, UUID batch) {}
