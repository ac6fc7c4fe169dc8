/**
 * Keys and values outside the heap.
 *
 * <pre>
 *   Keyspace: slots (highest bits of the hash) ──▶ record ──▶ record
 *   SlabHeap: chunks of 4 MiB, cut into blocks of size classes
 *   Pages:    spans of 32 MiB, cut into chunks and pieces, once there is much
 * </pre>
 */
@NullMarked
package io.slipstream.keyvalue.memory;

import org.jspecify.annotations.NullMarked;
