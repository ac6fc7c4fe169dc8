/**
 * Positions that move forward, and how far one may follow them.
 *
 * <pre>
 *     0 ─────────── Sequence of a consumer ─────────── SequenceBarrier ──────────▶ position
 *          passed            │         may be read now         │    not yet
 * </pre>
 *
 * <ul>
 * <li><b>position</b>: a count from the beginning of time, of events or of bytes; its place in a ring is the remainder
 *     by the capacity.
 * <li><b>sequence</b>: a position that one thread moves and others watch, alone on its cache lines.
 * <li><b>barrier</b>: how far a consumer may go.
 * </ul>
 */
@NullMarked
package io.slipstream.core.sequence;

import org.jspecify.annotations.NullMarked;
