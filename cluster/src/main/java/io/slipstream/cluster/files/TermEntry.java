package io.slipstream.cluster.files;

import io.aeron.cluster.RecordingLog;
import io.slipstream.core.thread.Undisturbed;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * An entry of a member's list of terms and snapshots.
 *
 * @param recording   number of the recording that it speaks of
 * @param term        that begins with it, or in which the snapshot was taken
 * @param base        position of the log at which the term begins
 * @param position    up to which the term is committed, or -1; that of the snapshot
 * @param timestamp   in milliseconds since 1970
 * @param service     whose snapshot it is: {@link #ENGINE} or 0; -1 for a term
 * @param isSnapshot  or a term
 */
public record TermEntry(
        long recording, long term, long base, long position, long timestamp, int service, boolean isSnapshot) {
    /** What a snapshot of Aeron itself has for a service. */
    public static final int ENGINE = -1;

    /** Writes it to a list. */
    public void appendTo(RecordingLog log) {
        try {
            Undisturbed.call(() -> {
                append(log);
                return null;
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void append(RecordingLog log) {
        if (isSnapshot) {
            log.appendSnapshot(recording, term, base, position, timestamp, service);
        } else {
            log.appendTerm(recording, term, base, timestamp);
            if (position >= 0) {
                log.commitLogPosition(term, position);
            }
        }
    }
}
