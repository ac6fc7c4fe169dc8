package io.slipstream.journal.recovery;

import io.slipstream.journal.format.SegmentHeader;
import io.slipstream.journal.segment.SegmentIndex;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What recovery hands to the writer.
 *
 * @param segments       headers of the segments that hold records, oldest first; empty for a new journal
 * @param index          of the last segment, as far as it was looked into
 * @param end            where the last frame of the last segment ends
 * @param lastChecksum   of that frame
 * @param nextSequence   of the next record
 * @param epoch          of the opening that begins now
 * @param timeMillis     the last that is known of the records; those to come are given no earlier one at first
 * @param spares         how many empty segments behind the last one are ready for use
 * @param tornTail       what the writer must keep aside and wipe before it writes, because there was no room for that
 *                       yet; or null
 * @param findings       for the user
 */
public record Recovered(
        List<SegmentHeader> segments,
        SegmentIndex index,
        long end,
        int lastChecksum,
        long nextSequence,
        int epoch,
        long timeMillis,
        int spares,
        @Nullable Aside tornTail,
        Found findings) {
    /**
     * What was found and what was done about it.
     *
     * @param clean        whether the journal had been closed properly
     * @param cut          the torn tail that was cut off, or null
     * @param wiped        bytes behind the ends of full segments
     * @param ahead        files that were ahead of the last record and were brought back
     * @param renewed      damaged files that were written anew, each with what was wrong with it
     * @param missingBytes bytes that the last segment was shorter than it had been made
     */
    public record Found(
            boolean clean,
            @Nullable Cut cut,
            List<Cut> wiped,
            List<String> ahead,
            List<String> renewed,
            long missingBytes) {
        /** Creates findings. */
        public Found {
            wiped = List.copyOf(wiped);
            ahead = List.copyOf(ahead);
            renewed = List.copyOf(renewed);
        }
    }

    /** Returns the sequence of the oldest record that is there, or that will be the first one. */
    public long firstSequence() {
        return segments.isEmpty() ? 1 : segments.getFirst().baseSequence();
    }

    /** Returns the sequence of the newest record that is there, or was there before all were trimmed; 0 for none. */
    public long lastSequence() {
        return nextSequence - 1;
    }

    /** Returns how many records there are. */
    public long records() {
        return nextSequence - firstSequence();
    }

    /** Returns the bytes of frames, without the unused ends of the segments. */
    public long bytes() {
        long bytes = segments.isEmpty() ? 0 : end - SegmentHeader.BYTES;
        for (int i = 1; i < segments.size(); i++) {
            bytes += segments.get(i).predecessorEnd() - SegmentHeader.BYTES;
        }
        return bytes;
    }

    /** Returns the number of the segment that comes next. */
    public long nextNumber() {
        return segments.isEmpty() ? 1 : segments.getLast().number() + 1;
    }

    /** Returns the segment that the writer goes on with, or null if it must begin the first one. */
    public @Nullable SegmentHeader lastSegment() {
        return segments.isEmpty() ? null : segments.getLast();
    }
}
