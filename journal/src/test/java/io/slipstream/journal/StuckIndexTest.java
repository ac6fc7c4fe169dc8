package io.slipstream.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.storage.FileStorage;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An index is a convenience: one that cannot be removed stops neither a trim nor an opening. */
class StuckIndexTest {
    private static final JournalConfig CONFIG =
            JournalConfig.at(Durability.PROCESS).withSegmentBytes(16 << 10);
    private static final int RECORDS = 100;

    @TempDir
    Path folder;

    @Test
    void anIndexThatCannotBeRemovedPoisonsNothing() throws Exception {
        try (Journal journal = Journal.open(stuck(), CONFIG)) {
            for (int i = 1; i <= RECORDS; i++) {
                Records.appendAndCommit(journal, "x".repeat(1_000));
            }
            assertThat(journal.trim(RECORDS / 2)).isPositive();
            Records.appendAndCommit(journal, "x".repeat(1_000));
            assertThat(journal.failure()).isNull();
        }
        try (Journal journal = Journal.open(stuck(), CONFIG)) {
            assertThat(journal.nextSequence()).isEqualTo(RECORDS + 2);
            assertThat(journal.firstSequence()).isGreaterThan(1);
        }
    }

    private FaultyStorage stuck() throws IOException {
        FaultyStorage storage = new FaultyStorage(FileStorage.open(folder));
        storage.add((operation, name) -> {
            if (operation == FaultyStorage.Operation.DELETE && name.endsWith(".index")) {
                throw new IOException("Operation not permitted");
            }
        });
        return storage;
    }
}
