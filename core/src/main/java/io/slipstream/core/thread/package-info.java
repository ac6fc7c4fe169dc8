/**
 * Threads: units of work, the workers that run them, and what a worker does when there is nothing to do.
 *
 * <pre>
 *   Worker (one thread)
 *     loop:  done = duty.work() + duty.work() + ...        each Duty is owned by one worker
 *            waiter.idle(done)                              spin, yield, sleep or park, as the WaitStrategy says
 *
 *   publisher ── publish ── signal.wake() ──▶ Signal ◀── a parked worker sleeps here
 * </pre>
 *
 * A worker that wants to park first arms its signal, then looks for work once more, then sleeps. A publisher first
 * publishes, then looks whether the signal is armed. With a full fence between the two steps on either side, at least
 * one of them sees the other: no wake-up is lost.
 */
@NullMarked
package io.slipstream.core.thread;

import org.jspecify.annotations.NullMarked;
