package io.slipstream.cluster.files;

import io.aeron.cluster.RecordingLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The list of terms and snapshots of a member. Those that were made void are not in it. */
public record Terms(List<TermEntry> all) {
    private static final int ENTRY_BYTES = 64;
    private static final int MOST_TERMS = 10_000;

    /** Copies the list. */
    public Terms {
        all = List.copyOf(all);
    }

    /** Reads the list of the member whose part {@code cluster} that folder is. */
    public static Terms read(Path cluster) throws IOException {
        Path file = cluster.resolve(RecordingLog.RECORDING_LOG_FILE_NAME);
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        List<TermEntry> entries = new ArrayList<>();
        // An entry that is not there as a whole is one that is being written.
        for (int at = 0; at + ENTRY_BYTES <= bytes.capacity(); at += ENTRY_BYTES) {
            int type = bytes.getInt(at + RecordingLog.ENTRY_TYPE_OFFSET);
            if (type == RecordingLog.ENTRY_TYPE_STANDBY_SNAPSHOT) {
                throw new IOException(file + " speaks of snapshots elsewhere, which no member makes");
            }
            if (type == RecordingLog.ENTRY_TYPE_TERM || type == RecordingLog.ENTRY_TYPE_SNAPSHOT) {
                entries.add(new TermEntry(
                        bytes.getLong(at + RecordingLog.RECORDING_ID_OFFSET),
                        bytes.getLong(at + RecordingLog.LEADERSHIP_TERM_ID_OFFSET),
                        bytes.getLong(at + RecordingLog.TERM_BASE_LOG_POSITION_OFFSET),
                        bytes.getLong(at + RecordingLog.LOG_POSITION_OFFSET),
                        bytes.getLong(at + RecordingLog.TIMESTAMP_OFFSET),
                        bytes.getInt(at + RecordingLog.SERVICE_ID_OFFSET),
                        type == RecordingLog.ENTRY_TYPE_SNAPSHOT));
            }
        }
        return new Terms(entries);
    }

    /** Returns whether there was ever a leader. */
    public boolean hasTerm() {
        return terms().findAny().isPresent();
    }

    /** Returns the last term; an {@link IOException} says that there was none yet. */
    public TermEntry last() throws IOException {
        return terms().max(Comparator.comparingLong(TermEntry::term))
                .orElseThrow(() -> new IOException("the member has never had a leader: it has no log yet"));
    }

    /** Returns the last snapshot that is there as a whole: of Aeron, and of the service at the same place. */
    public List<TermEntry> lastSnapshot() {
        Optional<TermEntry> engine = all.stream()
                .filter(entry -> entry.isSnapshot()
                        && entry.service() == TermEntry.ENGINE
                        && serviceAt(entry).isPresent())
                .max(Comparator.comparingLong(TermEntry::position));
        return engine.map(entry -> List.of(serviceAt(entry).orElseThrow(), entry))
                .orElse(List.of());
    }

    private Optional<TermEntry> serviceAt(TermEntry engine) {
        return all.stream()
                .filter(entry -> entry.isSnapshot()
                        && entry.service() == 0
                        && entry.term() == engine.term()
                        && entry.position() == engine.position())
                .reduce((former, later) -> later);
    }

    /**
     * Returns what a member needs that begins with {@link #lastSnapshot}: it, and the terms, also those before it,
     * which a leader tells to others that were away. Of more than {@value #MOST_TERMS} the last ones count.
     */
    public Terms sinceLastSnapshot() {
        List<TermEntry> sorted =
                terms().sorted(Comparator.comparingLong(TermEntry::term)).toList();
        List<TermEntry> needed =
                new ArrayList<>(sorted.subList(Math.max(0, sorted.size() - MOST_TERMS), sorted.size()));
        needed.addAll(lastSnapshot());
        return new Terms(needed);
    }

    private Stream<TermEntry> terms() {
        return all.stream().filter(entry -> !entry.isSnapshot());
    }
}
