/**
 * What rings are made of; not exported. A sequencer hands out positions, and barriers say how far they were published.
 *
 * <pre>
 *                 passed by all       published      claimed         limit granted
 *   ──────────────────┬───────────────────┬─────────────┬─────────────────┬──────▶ position
 *                  Gating            RingBarrier    Sequencer      Gating, Landmarks
 *
 *   to read claim, publish and read of ...                 open
 *   a ring of events, one publisher                        SingleSequencer, SequencesBarrier
 *   a ring of events, many publishers                      MultiSequencer, PublishedBarrier
 *   a ring of frames, one publisher                        SingleFrameSequencer
 *   a ring of frames, many publishers                      MultiFrameSequencer, MultiSequencer
 *   the slow path of them all: room, joining, failing      Sequencer, Gating
 * </pre>
 *
 * <ul>
 * <li><b>gating</b> consumers: nobody claims what they have not passed.
 * <li><b>limit</b>: the end of what publishers may claim without a look at the consumers.
 * <li><b>landmark</b>: a position at which a claim begins, where an observer that was overrun finds its way again.
 * <li><b>stamp</b>: the number of the lap in which a place was published.
 * <li><b>abort</b>: a claim given up, which consumers skip.
 * </ul>
 */
@NullMarked
package io.slipstream.core.sequencer;

import org.jspecify.annotations.NullMarked;
