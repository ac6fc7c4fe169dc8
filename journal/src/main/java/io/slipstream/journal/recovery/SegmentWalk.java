package io.slipstream.journal.recovery;

import io.slipstream.journal.format.Mark;
import io.slipstream.journal.format.SegmentHeader;
import io.slipstream.journal.segment.RunCheck;
import io.slipstream.journal.segment.SegmentIndex;
import io.slipstream.journal.segment.SegmentScan;
import io.slipstream.journal.segment.Window;
import io.slipstream.journal.storage.StorageFile;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What a walk through all frames of one segment has come to.
 *
 * @param stop          why it has stopped
 * @param stopOffset    where: behind the last good frame, or at what is wrong
 * @param finding       what is there
 * @param end           where the last good frame ends
 * @param lastChecksum  of that frame
 * @param nextSequence  of the record behind it
 * @param epoch         of that frame
 * @param closed        whether that frame closes the journal
 * @param durable       the greatest durable sequence that a mark in the segment gives
 * @param proofOffset   of the last mark that says that all before it was durable, or -1
 * @param timeMillis    the time that the last mark gives, or else the header; of a full segment, of the marks that its
 *                      index has
 * @param lastOther     offset of the last byte behind the end that is not zero, or -1
 * @param index         of the marks that were met, or null if frames were not looked at
 */
record SegmentWalk(
        Decision.Stop stop,
        long stopOffset,
        String finding,
        long end,
        int lastChecksum,
        long nextSequence,
        int epoch,
        boolean closed,
        long durable,
        long proofOffset,
        long timeMillis,
        long lastOther,
        @Nullable SegmentIndex index) {
    /** Walks through the segment that {@code header} was read from. */
    static SegmentWalk of(StorageFile file, SegmentHeader header, Window window) throws IOException {
        SegmentScan scan = new SegmentScan(file, header, window);
        SegmentIndex index = new SegmentIndex();
        long durable = header.durableSequence();
        long proofOffset = -1;
        long timeMillis = header.timeMillis();
        SegmentScan.Step step = scan.next();
        while (step == SegmentScan.Step.RECORD || step == SegmentScan.Step.MARK) {
            if (step == SegmentScan.Step.MARK) {
                durable = Math.max(durable, Mark.durableSequence(scan.memory(), scan.memoryOffset()));
                timeMillis = Mark.timeMillis(scan.memory(), scan.memoryOffset());
                proofOffset = durable == scan.nextSequence() - 1 ? scan.offset() : proofOffset;
                addTo(index, scan, file, window, timeMillis);
            }
            step = scan.next();
        }
        boolean lostLength = scan.hasLostLength();
        boolean damage = lostLength || step == SegmentScan.Step.DAMAGE;
        long stopOffset = damage ? scan.offset() : scan.end();
        TailInspection rest = new TailInspection(window);
        rest.inspect(file, stopOffset);
        boolean torn = damage && !lostLength && isTorn(scan, rest, file);
        Decision.Stop stop = !damage ? Decision.Stop.END : torn ? Decision.Stop.TORN : Decision.Stop.DAMAGED;
        return new SegmentWalk(
                stop,
                stopOffset,
                damage ? scan.damage() : "zeros",
                scan.end(),
                scan.lastChecksum(),
                scan.nextSequence(),
                scan.epoch(),
                scan.closed(),
                durable,
                proofOffset,
                timeMillis,
                rest.dataEnd() - 1,
                index);
    }

    /** Adds the mark that the scan has come to; the run before it is still in the window, or read again. */
    private static void addTo(SegmentIndex index, SegmentScan scan, StorageFile file, Window window, long timeMillis)
            throws IOException {
        long offset = scan.offset();
        if (index.isDue(offset)) {
            long runChecksum =
                    index.size() == 0 ? SegmentIndex.UNKNOWN : RunCheck.ofLastRun(index, offset, file, window);
            index.add(offset, scan.nextSequence(), scan.epoch(), timeMillis, runChecksum);
        }
    }

    /**
     * Returns what a walk through a full segment comes to, if its bytes are those that its index was made of; otherwise
     * null, and the walk must show what is wrong.
     */
    static @Nullable SegmentWalk of(StorageFile file, SegmentHeader header, SegmentIndex index, Window window)
            throws IOException {
        SegmentIndex.End known = index.end();
        if (known == null || !RunCheck.provesAll(index, file, window)) {
            return null;
        }
        TailInspection rest = new TailInspection(window);
        rest.inspect(file, known.offset());
        return new SegmentWalk(
                Decision.Stop.END,
                known.offset(),
                "zeros",
                known.offset(),
                known.checksum(),
                known.nextSequence(),
                known.epoch(),
                false,
                known.durable(),
                known.proofOffset(),
                index.size() == 0 ? header.timeMillis() : index.latestMillis(),
                rest.dataEnd() - 1,
                null);
    }

    /**
     * A frame in which one byte is wrong that had been written is damaged, however much of it is zeros, and so is a gap
     * in front of the mark that is due.
     */
    private static boolean isTorn(SegmentScan scan, TailInspection rest, StorageFile file) throws IOException {
        if (scan.isInGap()) {
            return false;
        }
        return scan.outOfPlace()
                || (scan.wrongByte() < 0 || !rest.wasWritten(file, scan.wrongByte()))
                        && rest.torn(file, scan.offset(), scan.length());
    }

    /** Returns the same walk, with what comes behind it: a header that is damaged. */
    SegmentWalk beforeDamagedHeader(String file) {
        return new SegmentWalk(
                Decision.Stop.DAMAGED,
                stopOffset,
                file + " has a damaged header",
                end,
                lastChecksum,
                nextSequence,
                epoch,
                closed,
                durable,
                proofOffset,
                timeMillis,
                lastOther,
                index);
    }

    /** Returns whether the next segment begins where this one ends, so that nothing else belongs behind that. */
    boolean continuesIn(SegmentHeader next) {
        return next.baseSequence() == nextSequence
                && next.predecessorEnd() == end
                && next.predecessorChecksum() == lastChecksum
                && next.epoch() >= epoch;
    }
}
