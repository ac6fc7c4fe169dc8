package io.slipstream.journal.recovery;

import io.slipstream.journal.RecoveryReport;
import io.slipstream.journal.segment.SegmentHeader;
import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * What recovery hands to the writer.
 *
 * @param segments       headers of the segments that hold records, oldest first; empty for a new journal
 * @param end            where the last frame of the last segment ends
 * @param lastChecksum   of that frame
 * @param nextSequence   of the next record
 * @param epoch          of the opening that begins now
 * @param timeMillis     the latest that is known of the records; those to come are not given an earlier one
 * @param spares         how many empty segments behind the last one are ready for use
 * @param report         for the user
 */
public record Recovered(List<SegmentHeader> segments, long end, int lastChecksum, long nextSequence, int epoch,
                        long timeMillis, int spares, RecoveryReport report) {
    /** Returns the number of the segment that comes next. */
    public long nextNumber() {
        return segments.isEmpty() ? 1 : segments.getLast().number() + 1;
    }

    /** Returns the segment that the writer goes on with, or null if it must begin the first one. */
    public @Nullable SegmentHeader lastSegment() {
        return segments.isEmpty() ? null : segments.getLast();
    }
}
