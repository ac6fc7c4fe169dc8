package io.slipstream.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.journal.storage.FileStorage;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A tailer is registered, and the owner trims, just when the tailer knows where it begins and its position is not there
 * for others to see: the one moment at which only the monitor keeps its records.
 */
class TailersTest {
    private static final JournalConfig CONFIG =
            JournalConfig.at(Durability.SYNC).withSegmentBytes(16 << 10);

    @TempDir
    private Path folder;

    private interface Registering {
        Tailer register(Journal journal, FaultyStorage storage) throws JournalException;
    }

    @Test
    void aTrimWaitsForATailerThatIsBeingRegistered() throws Exception {
        assertThat(sequenceOfTheFirstRecord((journal, _) -> journal.tailer("late")))
                .isEqualTo(1);
    }

    /** The twin is the production code with another monitor than the one that trimming holds. */
    @Test
    void theCheckNoticesAMonitorThatTrimmingDoesNotHold() {
        assertThatThrownBy(() -> sequenceOfTheFirstRecord(
                        (journal, storage) -> new Tailers(journal, storage, journal.id(), true).open("late")))
                .isExactlyInstanceOf(JournalException.class)
                .hasMessageContaining("no longer in the journal");
    }

    private long sequenceOfTheFirstRecord(Registering registering) throws Exception {
        FaultyStorage storage = new FaultyStorage(FileStorage.open(folder));
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        try (Journal journal = Journal.open(storage, CONFIG)) {
            for (int i = 1; i <= 300; i++) {
                Records.appendAndCommit(journal, AppendingProcess.payload(i));
            }
            while (!journal.isBackgroundIdle()) {
                Thread.onSpinWait();
            }
            Thread owner = Thread.ofPlatform().unstarted(() -> {
                try {
                    assertThat(journal.trim(200)).isGreaterThan(1);
                } catch (Throwable e) {
                    thrown.set(e);
                }
            });
            storage.add((operation, name) -> {
                if (operation == FaultyStorage.Operation.CREATE && name.startsWith("tailer-late")) {
                    owner.start();
                    while (owner.getState() != Thread.State.BLOCKED && owner.getState() != Thread.State.TERMINATED) {
                        Thread.onSpinWait();
                    }
                }
            });
            long[] first = {0};
            try (Tailer tailer = registering.register(journal, storage)) {
                tailer.poll((memory, offset, _) -> first[0] = JournalRecord.sequence(memory, offset), 1);
            } finally {
                owner.join();
            }
            return first[0];
        }
    }
}
