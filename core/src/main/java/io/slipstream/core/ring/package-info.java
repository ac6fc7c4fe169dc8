/**
 * Rings: bounded memory between threads, in which messages stay where they were written.
 *
 * <pre>
 *                      ┌────────────── RingBuffer, FrameRing ──────────────┐
 *   publishers ────────▶ [event][event][event]............................ │──▶ stages of a Graph, pollers
 *     claim, write,    └───▲───────────────────▲────────────────▲──────────┘       each with its Sequence
 *     publish or abort     │                   │                │
 *                     slowest gating        published        claimed ≤ limit ≤ slowest gating + capacity
 *
 *   Sequencer                hands out positions                   SingleSequencer, MultiSequencer
 *   SequenceBarrier          how far a consumer may go             behind the publishers, or behind other stages
 *   Stage                    barrier + handler + Sequence, as a duty of a worker
 *   EventGraph, FrameGraph   stages, what they wait for, and the workers that run them
 * </pre>
 *
 * <ul>
 * <li><b>position</b>, or <b>sequence</b> of an event: a count from the beginning of time, of events or of bytes; its place in the
 *     ring is the remainder by the capacity.
 * <li><b>claim</b>: exclusive room for events side by side or for one frame; it is <b>published</b> or <b>aborted</b>.
 * <li><b>frame</b>: header and message, see {@link io.slipstream.core.ring.Frame}.
 * <li><b>sequence</b> of a consumer: the position that it has come to; everything before is passed. Those of the last
 *     consumers are <b>gating</b>: nobody claims what they have not passed.
 * <li><b>barrier</b>: how far a consumer may go.
 * <li><b>batch</b>: what the barrier let through at one look. It is passed in one step.
 * <li><b>observer</b>: a consumer that nobody waits for, and that is told how much it missed.
 * </ul>
 */
@NullMarked
package io.slipstream.core.ring;

import org.jspecify.annotations.NullMarked;
