package io.slipstream.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.format.FileName;
import io.slipstream.journal.storage.FileStorage;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A snapshot is committed just when another one's commit has found out which snapshots are to be kept, and has not
 * removed the others yet: the one moment at which only the monitor keeps the newest of all.
 */
class SnapshotsTest {
    private static final long LAST = 3;

    @TempDir
    private Path folder;

    private interface Snapshooting {
        Snapshots of(Journal journal, FaultyStorage storage) throws JournalException;
    }

    @Test
    void removingOldSnapshotsLeavesOneThatIsCommittedMeanwhile() throws Exception {
        assertThat(newestAfterTwoCommits((journal, _) -> journal.snapshots())).isEqualTo(LAST);
    }

    /** The twin is the production code with another monitor than the one that removing holds. */
    @Test
    void theCheckNoticesAMonitorThatRemovingDoesNotHold() throws Exception {
        assertThat(newestAfterTwoCommits((journal, storage) -> new Snapshots(
                        storage, journal.snapshots().newest().orElseThrow().journalId(), journal)))
                .isLessThan(LAST);
    }

    private long newestAfterTwoCommits(Snapshooting other) throws Exception {
        FaultyStorage storage = new FaultyStorage(FileStorage.open(folder));
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        try (Journal journal =
                Journal.open(storage, JournalConfig.at(Durability.SYNC).withSegmentBytes(16 << 10))) {
            Records.appendAndCommit(journal, "one", "two", "three");
            begin(journal.snapshots(), 1).commit();
            SnapshotWriter newest = begin(other.of(journal, storage), LAST);
            Thread committing = Thread.ofPlatform().unstarted(() -> {
                try {
                    newest.commit();
                } catch (Throwable e) {
                    thrown.set(e);
                }
            });
            AtomicBoolean begun = new AtomicBoolean();
            storage.add((operation, name) -> {
                if (operation == FaultyStorage.Operation.OPEN
                        && name.equals(FileName.snapshot(2))
                        && begun.compareAndSet(false, true)) {
                    committing.start();
                    while (committing.getState() != Thread.State.BLOCKED
                            && committing.getState() != Thread.State.TERMINATED) {
                        Thread.onSpinWait();
                    }
                }
            });
            begin(journal.snapshots(), 2).commit();
            committing.join();
            assertThat(begun).isTrue();
            assertThat(thrown.get()).isNull();
            return journal.snapshots().newest().orElseThrow().sequence();
        }
    }

    private static SnapshotWriter begin(Snapshots snapshots, long sequence) throws JournalException {
        SnapshotWriter writer = snapshots.begin(sequence);
        MemorySegment frames = Records.frames(List.of("the state behind " + sequence));
        writer.append(frames, 0, (int) frames.byteSize());
        return writer;
    }
}
