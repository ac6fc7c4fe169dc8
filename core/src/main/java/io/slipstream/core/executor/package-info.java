/**
 * An {@code ExecutorService} whose hot path takes no lock; {@link io.slipstream.core.executor.LockFreeExecutor} says
 * who waits for whom.
 *
 * <pre>
 *   execute ──┬──▶ queue 0 ──▶ worker 0 ─┐
 *             └──▶ queue 1 ──▶ worker 1 ─┤   a worker whose queue is empty takes from the others
 *                                        │
 *   forKey(k).execute ──▶ lane of k ─────┤   a lane is with one worker at a time: its tasks run in order
 *   schedule ──▶ wheel ──▶ timer thread ─┘   the wheel holds what is not due yet
 * </pre>
 *
 * A task has a <em>place</em> while it waits; when there is none left, the
 * {@linkplain io.slipstream.core.executor.RejectionPolicy policy} decides. Shutdown closes every entrance by the same
 * atomic update that admits tasks, so that a task either was accepted, and then runs or is handed back, or is refused.
 */
@NullMarked
package io.slipstream.core.executor;

import org.jspecify.annotations.NullMarked;
