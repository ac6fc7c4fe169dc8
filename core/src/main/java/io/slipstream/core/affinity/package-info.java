/**
 * Where threads run: what the machine is made of, and which thread is bound to which CPU.
 *
 * <pre>
 *   machine ─┬─ socket 0 ─┬─ core 0 ─┬─ CPU 0 ┐ siblings: two hyper-threads of a core
 *            │            │          └─ CPU 4 ┘
 *            │            └─ core 1 ─── ...          Topology   what there is, what is allowed
 *            └─ socket 1 ─── ...                     PinPlan    the first thread there, the second there
 *                                                    PinnedThreadFactory makes threads by a plan
 * </pre>
 *
 * Restricted native calls are in this package alone, in one class. Nothing else of the library needs them.
 */
@NullMarked
package io.slipstream.core.affinity;

import org.jspecify.annotations.NullMarked;
