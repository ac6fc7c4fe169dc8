package io.slipstream.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.errors.JournalFailedException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever removes the lock file lets a second writer in; the first one stops as soon as it sees that. */
class RemovedLockTest {
    private static final JournalConfig CONFIG =
            JournalConfig.at(Durability.SYNC).withSegmentBytes(16 << 10).withPrepareInBackground(false);

    @TempDir
    Path folder;

    @Test
    void isFoundWhenASegmentIsFull() throws Exception {
        Journal journal = Journal.open(folder, CONFIG);
        Files.delete(folder.resolve("journal.lock"));
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 10; i++) {
                        Records.appendAndCommit(journal, "a block of its own");
                    }
                })
                .isInstanceOf(JournalFailedException.class)
                .hasMessageContaining("journal.lock")
                .hasMessageContaining("removed");
        assertThat(folder.resolve("segment-0000000000000002.journal")).hasBinaryContent(new byte[16 << 10]);
        journal.close();
    }

    @Test
    void isFoundBeforeAnythingIsTrimmed() throws Exception {
        try (Journal journal = Journal.open(folder, CONFIG)) {
            for (int i = 0; i < 10; i++) {
                Records.appendAndCommit(journal, "a block of its own");
            }
            Files.delete(folder.resolve("journal.lock"));
            Files.createFile(folder.resolve("journal.lock"));
            assertThatThrownBy(() -> journal.trim(9))
                    .isInstanceOf(JournalException.class)
                    .hasMessageContaining("replaced");
            assertThat(folder.resolve("segment-0000000000000001.journal")).exists();
        }
    }
}
