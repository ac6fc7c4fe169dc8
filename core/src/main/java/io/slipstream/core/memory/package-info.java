/**
 * Memory outside the heap, of any size, with the order of each access in its name.
 *
 * <pre>
 *   Region ── native ── for the rings of one process
 *          └─ mapped ── a file, for counters that other processes read, and for a ring whose last lap
 *                       is to outlive its process
 * </pre>
 *
 * A region that is made here, in memory or as a new file, is really there when its factory method returns: every page
 * has been written once, so that a full disk or a full {@code /dev/shm} is an exception at creation and never a signal
 * in the middle of an access. A file that is opened is mapped as it is: if it has holes, or is made shorter while it is
 * mapped, an access may still fail with an {@link java.lang.InternalError}.
 */
@NullMarked
package io.slipstream.core.memory;

import org.jspecify.annotations.NullMarked;
