/**
 * A journal: an append-only log of records in a folder, which says exactly what survives which failure.
 *
 * <pre>
 *   frames ──append──▶ batch ──commit──▶ segment file ──force──▶ durable sequence ──▶ acknowledge
 *   side by side       checksum,         one positional         (at SYNC)                readers follow
 *   in memory          epoch, sequence   write
 * </pre>
 *
 * <ul>
 * <li><b>record</b>: a {@link io.slipstream.core.frame.Frame} with the header that {@link
 * io.slipstream.journal.record.JournalRecord} draws.
 * <li><b>sequence</b>: the number of a record; the first one has 1, and there are no gaps.
 * <li><b>batch</b>: what was appended between two commits; it becomes durable as a whole.
 * <li><b>durable sequence</b>: the last record that is as safe as the {@link io.slipstream.journal.config.Durability}
 * level says.
 * <li><b>epoch</b>: counts the openings of a journal.
 * <li><b>torn tail</b>: what a crash has left of a batch that never became durable; it is cut off and kept aside.
 * </ul>
 */
@NullMarked
package io.slipstream.journal;

import org.jspecify.annotations.NullMarked;
