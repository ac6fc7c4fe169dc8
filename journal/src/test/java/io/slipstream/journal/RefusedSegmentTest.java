package io.slipstream.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.FaultyStorage.Operation;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalFullException;
import io.slipstream.journal.storage.FileStorage;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Why no further segment can be prepared is told as what it is; appending goes on once that is put right. */
class RefusedSegmentTest {
    @TempDir
    Path folder;

    @Test
    void aMissingPermissionIsToldAsSuch() throws Exception {
        assertThat(messageOf(new AccessDeniedException("segment-0000000000000002.journal.tmp")))
                .contains("no permission for segment-", "check the owner and the permissions")
                .doesNotContain("full");
    }

    @Test
    void tooManyOpenFilesAreToldAsSuch() throws Exception {
        assertThat(messageOf(new FileSystemException("segment.tmp", null, "Too many open files")))
                .contains("Too many open files", "ulimit -n")
                .doesNotContain("full");
    }

    @Test
    void aFullDeviceIsToldAsSuch() throws Exception {
        assertThat(messageOf(new IOException("No space left on device")))
                .contains("No space left on device", "free some space");
    }

    private String messageOf(IOException failure) throws Exception {
        FaultyStorage storage = new FaultyStorage(FileStorage.open(folder));
        AtomicBoolean fails = new AtomicBoolean();
        storage.add((operation, name) -> {
            if (operation == Operation.CREATE && fails.get()) {
                throw failure;
            }
        });
        String message = "";
        try (Journal journal =
                Journal.open(storage, JournalConfig.at(Durability.PROCESS).withSegmentBytes(16 << 10))) {
            fails.set(true);
            while (message.isEmpty()) {
                message = appendOne(journal);
            }
            fails.set(false);
            long last = journal.nextSequence() - 1;
            Records.appendAndCommit(journal, "goes on");
            assertThat(journal.nextSequence()).isEqualTo(last + 2);
        }
        return message;
    }

    private static String appendOne(Journal journal) throws Exception {
        try {
            Records.appendAndCommit(journal, "x".repeat(2_000));
            return "";
        } catch (JournalFullException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
