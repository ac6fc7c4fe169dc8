package io.slipstream.journal;

import io.slipstream.journal.recovery.Recovered;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What opening a journal has found.
 *
 * @param segments      segment files that hold records
 * @param records       records in them
 * @param bytes         bytes of frames in them, without the unused ends of the segments
 * @param firstSequence of the oldest record that is there; 1 more than {@code lastSequence} if there is none
 * @param lastSequence  of the newest record that is there; 0 if there never was any
 * @param epoch         of this opening
 * @param clean         whether the journal had been closed properly
 * @param cut           the torn tail that was cut off, or null
 * @param wiped         bytes behind the ends of full segments, which nobody had written; a repair alone wipes such
 * @param ahead         files that were ahead of the last record: positions, which were moved back to it, and snapshots,
 *                      which are kept aside and not used
 * @param renewed       damaged files that were written anew from what the records say, each with what was wrong with
 *                      it: {@code trimmed.position}. No record is lost by that, but the device has changed bytes
 * @param missingBytes  bytes that the last segment was shorter than it had been made; what was in them is lost, and
 *                      nothing tells whether there was anything. 0 unless somebody has truncated the file, or the power
 *                      failed below {@link io.slipstream.journal.config.Durability#SYNC}
 */
public record RecoveryReport(
        int segments,
        long records,
        long bytes,
        long firstSequence,
        long lastSequence,
        int epoch,
        boolean clean,
        @Nullable Cut cut,
        List<Cut> wiped,
        List<String> ahead,
        List<String> renewed,
        long missingBytes) {
    /** Creates a report. */
    public RecoveryReport {
        wiped = List.copyOf(wiped);
        ahead = List.copyOf(ahead);
        renewed = List.copyOf(renewed);
    }

    static RecoveryReport of(Recovered recovered) {
        Recovered.Found found = recovered.findings();
        return new RecoveryReport(
                recovered.segments().size(),
                recovered.records(),
                recovered.bytes(),
                recovered.firstSequence(),
                recovered.lastSequence(),
                recovered.epoch(),
                found.clean(),
                found.cut() == null ? null : Cut.of(found.cut()),
                found.wiped().stream().map(Cut::of).toList(),
                found.ahead(),
                found.renewed(),
                found.missingBytes());
    }

    /**
     * Bytes that did not belong where they were, and that were wiped there.
     *
     * @param file   the segment that was cut
     * @param offset where it was cut
     * @param bytes  how many bytes of data were cut off; of a torn tail in this segment and those behind it
     * @param keptIn the file in the journal's folder that keeps the bytes of this segment; empty if there was no room
     *               for it: then the bytes are kept and wiped before the first append
     * @param reason what was found at the offset
     */
    public record Cut(String file, long offset, long bytes, String keptIn, String reason) {
        private static Cut of(io.slipstream.journal.recovery.Cut cut) {
            return new Cut(cut.file(), cut.offset(), cut.bytes(), cut.keptIn(), cut.reason());
        }
    }
}
