package io.slipstream.cluster.member;

import io.slipstream.cluster.folder.DirectoryLock;
import io.slipstream.cluster.folder.DurableText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The log entries that a member passes over, because an operator has said so: each by an empty file in the member's
 * folder. All members must pass over the same ones; a member that does not is found by the checks of the state.
 */
public final class SkippedEntries {
    private static final String PREFIX = "skip-";
    private static final int MOST_SHOWN = 100;

    private final long[] sequences;

    private SkippedEntries(long[] sequences) {
        this.sequences = sequences;
    }

    /** Marks an entry, in the folder of a member that does not run; doing it again changes nothing. */
    public static void mark(Path directory, long sequence) throws IOException {
        if (sequence < 1) {
            throw new IllegalArgumentException("entries have numbers from 1 on, not " + sequence);
        }
        try (DirectoryLock held = DirectoryLock.ofExisting(directory)) {
            Path file = directory.resolve(PREFIX + sequence);
            if (held.channel().isOpen() && !Files.exists(file)) {
                DurableText.write(directory, PREFIX + sequence, "");
            }
        }
    }

    static SkippedEntries load(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return new SkippedEntries(files.map(file -> file.getFileName().toString())
                    .filter(name -> name.matches(PREFIX + "\\d{1,18}"))
                    .mapToLong(name -> Long.parseLong(name.substring(PREFIX.length())))
                    .sorted()
                    .toArray());
        }
    }

    /** Returns their numbers with commas between, "-" if there are none. */
    @Override
    public String toString() {
        return sequences.length == 0
                ? "-"
                : Arrays.stream(sequences)
                                .limit(MOST_SHOWN)
                                .mapToObj(Long::toString)
                                .collect(Collectors.joining(","))
                        + (sequences.length > MOST_SHOWN ? ",..." + Arrays.hashCode(sequences) : "");
    }

    /** Returns whether the member passes over that entry. */
    public boolean contains(long sequence) {
        return Arrays.binarySearch(sequences, sequence) >= 0;
    }
}
