/**
 * Memory outside the heap, of any size, with the order of each access in its name.
 *
 * <pre>
 *   Region ── native ── for the rings of one process
 *          └─ mapped ── a file, for counters and for rings between processes
 * </pre>
 *
 * A region is really there when its constructor returns: every page has been written once, so that a full disk or a full
 * {@code /dev/shm} is an exception at creation and never a signal in the middle of an access.
 */
@NullMarked
package io.slipstream.core.memory;

import org.jspecify.annotations.NullMarked;
