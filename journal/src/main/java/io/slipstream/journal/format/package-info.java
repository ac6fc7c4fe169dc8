/**
 * The format of a journal's files: names, headers, marks, positions and checksums.
 *
 * <pre>
 *   folder ── FileName           segment-...journal, .index, snapshot-..., tailer-...position
 *   file   ── SegmentHeader      the first block of a segment or a snapshot
 *             Mark, FrameSeal    frames of the journal's own; the checksum of every frame
 *             PositionFile       a sequence in two slots
 * </pre>
 *
 * <ul>
 * <li><b>header</b>: the first block of a file; it names the journal, the segment and its place in the chain.
 * <li><b>mark</b>: a frame of the journal's own; it says when it was written and what had been forced by then.
 * <li><b>seal</b>: epoch, sequence and checksum, which make a frame a record of this journal.
 * </ul>
 */
@NullMarked
package io.slipstream.journal.format;

import org.jspecify.annotations.NullMarked;
