package io.slipstream.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.slipstream.journal.FaultyStorage.Operation;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.storage.FileStorage;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A trim that the system denies is no failure of the device: the journal goes on, and is trimmed later. */
class DeniedTrimTest {
    private static final int RECORDS = 40;

    @TempDir
    Path folder;

    private final AtomicBoolean denies = new AtomicBoolean();

    @ParameterizedTest
    @CsvSource({"DELETE, 0", "RENAME, 4"})
    void ofAFileThatMayNotBeRemovedChangesNothing(Operation operation, int spares) throws Exception {
        JournalException thrown = trimWhile(operation, new AccessDeniedException("segment-0000000000000001"), spares);
        assertThat(thrown)
                .hasMessageContaining("no permission for segment-0000000000000001")
                .hasMessageContaining("check the owner and the permissions of the folder, and try again");
    }

    @Test
    void byTooManyOpenFilesChangesNothing() throws Exception {
        IOException reason = new FileSystemException("segment", null, "Too many open files");
        assertThat(trimWhile(Operation.RENAME, reason, 4))
                .hasMessageContaining("Too many open files")
                .hasMessageContaining("ulimit -n");
    }

    private JournalException trimWhile(Operation denied, IOException reason, int spares) throws Exception {
        FaultyStorage storage = new FaultyStorage(FileStorage.open(folder));
        storage.add((operation, name) -> {
            if (denies.get() && operation == denied && name.startsWith("segment-") && name.endsWith(".journal")) {
                throw reason;
            }
        });
        JournalConfig config =
                JournalConfig.at(Durability.SYNC).withSegmentBytes(16 << 10).withSpareSegments(spares);
        JournalException thrown;
        try (Journal journal = Journal.open(storage, config)) {
            for (int i = 0; i < RECORDS; i++) {
                Records.appendAndCommit(journal, "x".repeat(2_000));
            }
            denies.set(true);
            thrown = catchThrowableOfType(JournalException.class, () -> journal.trim(RECORDS));
            denies.set(false);
            assertThat(journal.failure()).isNull();
            assertThat(journal.firstSequence()).isEqualTo(1);
            assertThat(Records.read(journal, 1)).hasSize(RECORDS);
            Records.appendAndCommit(journal, "goes on");
            assertThat(journal.trim(RECORDS)).isGreaterThan(RECORDS / 2);
        }
        try (Journal journal = Journal.open(folder, config)) {
            assertThat(journal.nextSequence()).isEqualTo(RECORDS + 2);
            assertThat(journal.firstSequence()).isGreaterThan(RECORDS / 2);
        }
        return thrown;
    }
}
