package io.slipstream.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.errors.JournalFailedException;
import io.slipstream.journal.format.FileName;
import io.slipstream.journal.format.PositionFile;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.journal.storage.FileStorage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a tailer says of its position when the device fails, and what is left to it and to readers once they are closed.
 */
class TailerTest {
    @TempDir
    private Path folder;

    private FaultyStorage storage;

    @BeforeEach
    void openStorage() throws Exception {
        storage = new FaultyStorage(FileStorage.open(folder));
    }

    @Test
    void passesWhatIsKnownFromElsewhereButNothingThatCouldStillBeLost() throws Exception {
        try (Journal journal = open();
                Tailer tailer = journal.tailer("billing")) {
            for (String record : List.of("one", "two", "three")) {
                Records.appendAndCommit(journal, record);
            }
            tailer.pass(2);
            tailer.pass(1);
            tailer.commit();
            assertThat(tailer.committedSequence()).isEqualTo(2);
            List<Long> polled = new ArrayList<>();
            tailer.poll((memory, offset, length) -> polled.add(JournalRecord.sequence(memory, offset)), 10);
            assertThat(polled).containsExactly(3L);
            assertThatThrownBy(() -> tailer.pass(4))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("record 4 is not durable yet");
        }
    }

    @Test
    void poisonsTheJournalWhenTheNameOfItsPositionCannotBeMadeDurable() throws Exception {
        try (Journal journal = Journal.open(
                storage,
                JournalConfig.at(Durability.SYNC).withSegmentBytes(64 << 10).withPrepareInBackground(false))) {
            storage.failOnce(FaultyStorage.Operation.SYNC_DIRECTORY, "", "Input/output error");
            assertThatThrownBy(() -> journal.tailer("billing"))
                    .isInstanceOf(JournalFailedException.class)
                    .hasMessageContaining("Input/output error");
            assertThatThrownBy(() -> journal.trim(1)).isInstanceOf(JournalFailedException.class);
        }
    }

    @Test
    void keepsItsPositionWithTheNextCommitWhenAWriteHasFailed() throws Exception {
        try (Journal journal = open();
                Tailer tailer = journal.tailer("billing")) {
            poll(journal, tailer, "one", "two");
            storage.failOnce(FaultyStorage.Operation.WRITE, "tailer-billing", "Input/output error");
            assertThatThrownBy(tailer::commit)
                    .isInstanceOf(JournalException.class)
                    .hasMessageContaining("Input/output error");
            assertThat(tailer.committedSequence()).isZero();
            assertThat(PositionFile.read(storage, FileName.tailer("billing"))).isZero();
            tailer.commit();
            assertThat(tailer.committedSequence()).isEqualTo(2);
            assertThat(PositionFile.read(storage, FileName.tailer("billing"))).isEqualTo(2);
            assertThat(journal.failure()).isNull();
        }
    }

    /** What is trimmed rests on the position, and a second force proves nothing of it. */
    @Test
    void poisonsTheJournalWhenAForceHasFailedAlthoughTheNextOneWouldSucceed() throws Exception {
        try (Journal journal = open();
                Tailer tailer = journal.tailer("billing")) {
            poll(journal, tailer, "one", "two");
            storage.failOnce(FaultyStorage.Operation.FORCE, "tailer-billing", "Input/output error");
            assertThatThrownBy(tailer::commit)
                    .isInstanceOf(JournalFailedException.class)
                    .hasMessageContaining("Input/output error");
            assertThat(tailer.committedSequence()).isZero();
            assertThatThrownBy(tailer::commit).isInstanceOf(JournalFailedException.class);
            assertThatThrownBy(() -> journal.trim(2)).isInstanceOf(JournalFailedException.class);
        }
    }

    @Test
    void isRefusedOnceTheJournalIsClosed() throws Exception {
        Journal journal = open();
        journal.tailer("billing").close();
        journal.close();
        assertThatThrownBy(() -> journal.tailer("late"))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("is closed");
        assertThatThrownBy(() -> journal.removeTailer("billing"))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("is closed");
        assertThat(storage.list()).contains("tailer-billing.position").doesNotContain("tailer-late.position");
    }

    @Test
    void readsNothingAndOpensNothingOnceItIsClosed() throws Exception {
        try (Journal journal = open()) {
            Records.appendAndCommit(journal, "one");
            JournalReader reader = journal.reader(1);
            reader.close();
            assertThatThrownBy(() -> reader.poll((_, _, _) -> {}, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
            Tailer tailer = journal.tailer("billing");
            tailer.close();
            assertThatThrownBy(() -> tailer.poll((_, _, _) -> {}, 1)).isInstanceOf(IllegalStateException.class);
            try (Tailer next = journal.tailer("billing")) {
                tailer.close();
                assertThatThrownBy(() -> journal.tailer("billing"))
                        .as("%s is open", next.name())
                        .isInstanceOf(IllegalStateException.class);
            }
        }
        assertThat(storage.open).isEmpty();
    }

    private Journal open() throws JournalException {
        return Journal.open(storage, JournalConfig.at(Durability.SYNC).withSegmentBytes(16 << 10));
    }

    private static void poll(Journal journal, Tailer tailer, String... payloads) throws JournalException {
        Records.appendAndCommit(journal, payloads);
        assertThat(tailer.poll((_, _, _) -> {}, payloads.length)).isEqualTo(payloads.length);
    }
}
