/**
 * Rings: bounded memory between threads, in which messages stay where they were written.
 *
 * <pre>
 *                    ┌──────────────────── FrameRing ────────────────────┐
 *   publishers ──────▶ [frame][frame][frame]........................[pad]│
 *     tryClaim        ▲                    ▲                             │
 *     publish         │                    │                             │
 *     abort      Sequence of the     claimed up to here                  │
 *                last consumer ("gating": nobody claims past it + capacity)
 * </pre>
 *
 * <ul>
 * <li><b>position</b>: a byte count from the beginning of time; its place in the ring is the remainder by the capacity.
 * <li><b>claim</b>: exclusive, contiguous room for one frame; it is <b>published</b> or <b>aborted</b> by its claimer.
 * <li><b>frame</b>: header and message, see {@link io.slipstream.core.ring.Frame}.
 * <li><b>sequence</b>: how far a consumer has come; those of the last consumers are <b>gating</b>.
 * <li><b>barrier</b>: how far a consumer may go: as far as was published, or as far as the consumers before it have come.
 * </ul>
 */
@NullMarked
package io.slipstream.core.ring;

import org.jspecify.annotations.NullMarked;
