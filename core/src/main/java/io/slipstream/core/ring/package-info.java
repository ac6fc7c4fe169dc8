/**
 * Rings: bounded memory between threads, in which messages stay where they were written.
 *
 * <pre>
 *                      ┌────────────── RingBuffer, FrameRing ──────────────┐
 *   publishers ────────▶ [event][event][event]............................ │──▶ pollers, stages of a graph
 *     claim, write,    └───▲───────────────────▲────────────────▲──────────┘       each with its Sequence
 *     publish or abort     │                   │                │
 *                     slowest gating        published        claimed ≤ limit ≤ slowest gating + capacity
 *
 *   RingBuffer, EventClaim, EventPoller, EventObserver      events that were made once and are used for ever
 *   FrameRing,  FrameClaim, FramePoller, FrameObserver      frames of any length in native memory
 *   SmartBatcher                                            hands on whatever has come as one batch
 * </pre>
 *
 * <p>How positions are claimed and published is in {@code core.sequencer}, which is not exported.
 *
 * <ul>
 * <li><b>position</b>, or <b>sequence</b> of an event: a count from the beginning of time, of events or of bytes; its
 *     place in the ring is the remainder by the capacity.
 * <li><b>claim</b>: exclusive room for events side by side or for one frame; it is <b>published</b> or <b>aborted</b>.
 * <li><b>sequence</b> of a consumer: the position that it has come to; everything before is passed. Those of the last
 *     consumers are <b>gating</b>: nobody claims what they have not passed.
 * <li><b>poller</b>: a consumer that runs when it is called.
 * <li><b>observer</b>: a consumer that nobody waits for, and that counts how much it missed.
 * </ul>
 */
@NullMarked
package io.slipstream.core.ring;

import org.jspecify.annotations.NullMarked;
