package io.slipstream.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.config.WriteMode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A journal knows how many bytes it takes, also those behind some record, and after it was opened again. */
class WrittenBytesTest {
    private static final int SEGMENT_BYTES = 1 << 18;
    private static final int INDEX_BYTES = 64 << 10;
    private static final int BLOCK_BYTES = 4 << 10;
    private static final int COMMITS = 300;

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "SYNC, BUFFERED, 4096",
        "SYNC, MAPPED, 4096",
        "PROCESS, BUFFERED, 1024",
        "PROCESS, MAPPED, 1024",
    })
    void aCommitTakesItsBlocks(Durability durability, WriteMode mode, int bytesEach) throws Exception {
        JournalConfig config = JournalConfig.at(durability)
                .withWriteMode(mode)
                .withSegmentBytes(SEGMENT_BYTES)
                .withPrepareInBackground(false);
        long all;
        long half;
        try (Journal journal = Journal.open(folder, config)) {
            append(journal, COMMITS / 2);
            long before = journal.writtenBytes();
            append(journal, COMMITS / 2);
            half = journal.writtenBytes() - before;
            // Marks, and the header of each segment, come on top.
            assertThat(half).isBetween(COMMITS / 2L * bytesEach, COMMITS / 2L * bytesEach * 11 / 10);
            all = journal.bytesFrom(1);
            assertThat(all).isBetween(journal.writtenBytes() - BLOCK_BYTES, journal.writtenBytes());
            assertThat(journal.bytesFrom(COMMITS / 2 + 1)).isBetween(half, half + INDEX_BYTES + BLOCK_BYTES);
            assertThat(journal.bytesFrom(COMMITS + 1)).isBetween(0L, (long) INDEX_BYTES + BLOCK_BYTES);
        }
        try (Journal journal = Journal.open(folder, config)) {
            assertThat(journal.writtenBytes()).isBetween(0L, (long) BLOCK_BYTES);
            assertThat(journal.bytesFrom(1)).isBetween(all, all + 3 * BLOCK_BYTES);
            assertThat(journal.bytesFrom(COMMITS / 2 + 1)).isBetween(half, half + INDEX_BYTES + 4 * BLOCK_BYTES);
            append(journal, COMMITS);
        }
    }

    @Test
    void aSegmentThatWasLeftEarlyCountsWhatIsInIt() throws Exception {
        long[] millis = {0};
        JournalConfig config = JournalConfig.at(Durability.PROCESS)
                .withSegmentBytes(SEGMENT_BYTES)
                .withMaxSegmentAge(Duration.ofMillis(1))
                .withClock(() -> Instant.ofEpochMilli(millis[0]));
        try (Journal journal = Journal.open(folder, config)) {
            for (int i = 0; i < 20; i++) {
                append(journal, 1);
                millis[0] += 10;
            }
        }
        try (Journal journal = Journal.open(folder, config)) {
            assertThat(journal.bytesFrom(1)).isLessThan(SEGMENT_BYTES / 2);
        }
    }

    private static void append(Journal journal, int commits) throws Exception {
        for (int i = 0; i < commits; i++) {
            Records.appendAndCommit(journal, "x".repeat(1000));
        }
    }
}
