package io.slipstream.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recovery takes a window for each of its threads, however large the journal is. */
class RecoveryMemoryTest {
    static final int SEGMENT_BYTES = 16 << 20;
    private static final int MEGABYTES = 24;
    private static final int MOST_THREADS = 8;
    private static final int COMMITS = 200;
    private static final int PER_COMMIT = 1000;

    @TempDir
    Path folder;

    @Test
    void recoversAJournalManyTimesAsLargeAsTheMemoryOfItsProcess() throws Exception {
        write();
        assertThat(megabytes(".journal")).isGreaterThan(8 * MEGABYTES);
        assertThat(files(".index")).isNotEmpty();
        assertThat(recover()).contains("recovered " + COMMITS * PER_COMMIT);
        for (Path index : files(".index")) {
            Files.delete(index);
        }
        assertThat(recover()).contains("recovered " + COMMITS * PER_COMMIT);
    }

    private List<String> recover() throws Exception {
        try (ChildProcess child = ChildProcess.recovering(folder, MEGABYTES, MOST_THREADS)) {
            return child.allLines();
        }
    }

    private void write() throws JournalException {
        MemorySegment frames = Records.frames(Collections.nCopies(PER_COMMIT, "x".repeat(1000)));
        try (Journal journal =
                Journal.open(folder, JournalConfig.at(Durability.PROCESS).withSegmentBytes(SEGMENT_BYTES))) {
            for (int i = 0; i < COMMITS; i++) {
                journal.append(frames, 0, (int) frames.byteSize());
                journal.commit();
            }
        }
    }

    private long megabytes(String suffix) throws Exception {
        long bytes = 0;
        for (Path file : files(suffix)) {
            bytes += Files.size(file);
        }
        return bytes >> 20;
    }

    private List<Path> files(String suffix) throws Exception {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file -> file.toString().endsWith(suffix)).toList();
        }
    }
}
