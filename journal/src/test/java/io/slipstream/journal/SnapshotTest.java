package io.slipstream.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalCorruptException;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.errors.JournalFailedException;
import io.slipstream.journal.format.FileName;
import io.slipstream.journal.storage.FileStorage;
import io.slipstream.journal.tool.JournalTool;
import io.slipstream.journal.tool.Report;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotTest {
    @TempDir
    Path folder;

    @Test
    void findsTheNewestWholeSnapshotAndKeepsTheOneBefore() throws Exception {
        try (Journal journal = open()) {
            assertThat(journal.snapshots().newest()).isEmpty();
            for (int i = 1; i <= 5; i++) {
                Records.appendAndCommit(journal, "record " + i);
                snapshot(journal, i, "state " + i, "more " + i);
            }
            Snapshot newest = journal.snapshots().newest().orElseThrow();
            assertThat(newest.sequence()).isEqualTo(5);
            assertThat(newest.records()).isEqualTo(2);
            assertThat(contents(newest)).containsExactly("state 5", "more 5");
            assertThat(names())
                    .containsExactly("snapshot-0000000000000004.snapshot", "snapshot-0000000000000005.snapshot");
        }
        try (Journal journal = open()) {
            assertThat(contents(journal.snapshots().newest().orElseThrow())).containsExactly("state 5", "more 5");
        }
    }

    /** Every bit of what was written, and some of the zeros between. */
    @Test
    void fallsBackToTheOneBeforeWhateverBitOfTheNewestIsFlipped() throws Exception {
        try (Journal journal = open()) {
            Records.appendAndCommit(journal, "one");
            snapshot(journal, 1, "before");
            Records.appendAndCommit(journal, "two");
            snapshot(journal, 2, "newest");
            Path file = folder.resolve("snapshot-0000000000000002.snapshot");
            byte[] image = Files.readAllBytes(file);
            for (int bit = 0; bit < image.length * 8; bit++) {
                boolean zeros = bit / 8 >= 128 && bit / 8 < 4096;
                if (zeros && bit % 61 != 0) {
                    continue;
                }
                byte[] flipped = image.clone();
                flipped[bit / 8] ^= (byte) (1 << bit % 8);
                Files.write(file, flipped);
                assertThat(contents(journal.snapshots().newest().orElseThrow()))
                        .as("bit %d", bit)
                        .containsExactly("before");
            }
            for (int length = 0; length < image.length; length += 61) {
                Files.write(file, Arrays.copyOf(image, length));
                assertThat(journal.snapshots().newest().orElseThrow().sequence())
                        .isEqualTo(1);
            }
        }
    }

    /** Who has a copy brings its bytes back; until then there would be nothing to fall back to. */
    @Test
    void leavesADamagedOneWhereItIsUntilThereAreTwoWholeOnes() throws Exception {
        try (Journal journal = open()) {
            Records.appendAndCommit(journal, "one", "two", "three");
            snapshot(journal, 1, "before");
            snapshot(journal, 2, "newest");
            Path file = folder.resolve("snapshot-0000000000000001.snapshot");
            byte[] sound = Files.readAllBytes(file);
            byte[] damaged = sound.clone();
            damaged[100] ^= 1;
            Files.write(file, damaged);
            snapshot(journal, 2, "newest once more");
            assertThat(names())
                    .containsExactly("snapshot-0000000000000001.snapshot", "snapshot-0000000000000002.snapshot");

            Files.write(file, sound);
            assertThat(journal.snapshots().valid())
                    .extracting(Snapshot::sequence)
                    .containsExactly(1L, 2L);

            Files.write(file, damaged);
            snapshot(journal, 3, "after");
            assertThat(names())
                    .containsExactly("snapshot-0000000000000002.snapshot", "snapshot-0000000000000003.snapshot");
        }
    }

    @Test
    void leavesNothingBehindWhenItIsGivenUp() throws Exception {
        try (Journal journal = open()) {
            Records.appendAndCommit(journal, "one");
            try (SnapshotWriter writer = journal.snapshots().begin(1)) {
                MemorySegment frames = Records.frames(List.of("half"));
                writer.append(frames, 0, (int) frames.byteSize());
            }
            assertThat(names()).isEmpty();
            assertThat(journal.snapshots().newest()).isEmpty();
        }
    }

    @Test
    void isReadBackBeforeItIsCommittedAndTakesNoMoreRecordsThen() throws Exception {
        try (Journal journal = open()) {
            Records.appendAndCommit(journal, "one");
            try (SnapshotWriter writer = journal.snapshots().begin(1)) {
                MemorySegment frames = Records.frames(List.of("some", "more"));
                writer.append(frames, 0, (int) frames.byteSize());
                for (int i = 0; i < 2; i++) {
                    try (SnapshotReader reader = writer.reader()) {
                        List<String> read = new ArrayList<>();
                        while (reader.next()) {
                            read.add(Records.payload(reader.memory(), reader.offset(), reader.length()));
                        }
                        assertThat(read).containsExactly("some", "more");
                    }
                }
                assertThat(journal.snapshots().newest()).isEmpty();
                assertThatThrownBy(() -> writer.append(frames, 0, (int) frames.byteSize()))
                        .hasMessageContaining("takes no more records");
                writer.commit();
            }
            assertThat(contents(journal.snapshots().newest().orElseThrow())).containsExactly("some", "more");
        }
    }

    @Test
    void isNotThereByBeingForcedAndGivenUpIfThatFails() throws Exception {
        FaultyStorage storage = new FaultyStorage(FileStorage.open(folder));
        try (Journal journal =
                Journal.open(storage, JournalConfig.at(Durability.SYNC).withSegmentBytes(64 << 10))) {
            Records.appendAndCommit(journal, "one");
            MemorySegment frames = Records.frames(List.of("half"));
            try (SnapshotWriter writer = journal.snapshots().begin(1)) {
                writer.append(frames, 0, (int) frames.byteSize());
                writer.force();
                assertThat(storage.forced).anyMatch(name -> name.startsWith("snapshot-"));
                assertThat(journal.snapshots().newest()).isEmpty();
                storage.failOnce(FaultyStorage.Operation.FORCE, "snapshot", "Input/output error");
                assertThatThrownBy(writer::force)
                        .isInstanceOf(JournalException.class)
                        .hasMessageContaining("Input/output error");
                assertThatThrownBy(writer::commit).hasMessageContaining("given up");
            }
            assertThat(names()).isEmpty();
            snapshot(journal, 1, "again");
            assertThat(contents(journal.snapshots().newest().orElseThrow())).containsExactly("again");
        }
    }

    @Test
    void isRefusedWhileTheRecordsInItAreNotDurable() throws Exception {
        try (Journal journal = open()) {
            Records.append(journal, "not yet");
            try (SnapshotWriter writer = journal.snapshots().begin(1)) {
                assertThatThrownBy(writer::commit)
                        .isInstanceOf(JournalException.class)
                        .hasMessageContaining("commit first");
                journal.commit();
                writer.commit();
            }
            assertThat(journal.snapshots().newest().orElseThrow().sequence()).isEqualTo(1);
        }
    }

    /** What a failed write was to hold would be missing, and nothing in the snapshot would say so. */
    @Test
    void isGivenUpByAWriteThatFailsAlthoughTheNextOneWouldSucceed() throws Exception {
        FaultyStorage storage = new FaultyStorage(FileStorage.open(folder));
        try (Journal journal =
                Journal.open(storage, JournalConfig.at(Durability.SYNC).withSegmentBytes(64 << 10))) {
            Records.appendAndCommit(journal, "one", "two");
            snapshot(journal, 1, "before");
            try (SnapshotWriter writer = journal.snapshots().begin(2)) {
                MemorySegment large = Records.frames(List.of("x".repeat(200_000)));
                writer.append(large, 0, (int) large.byteSize());
                storage.failOnce(FaultyStorage.Operation.WRITE, "snapshot", "Input/output error");
                assertThatThrownBy(() -> writer.append(large, 0, (int) large.byteSize()))
                        .isInstanceOf(JournalException.class)
                        .hasMessageContaining("Input/output error");
                assertThatThrownBy(() -> writer.append(large, 0, (int) large.byteSize()))
                        .isInstanceOf(JournalException.class)
                        .hasMessageContaining("given up");
                assertThatThrownBy(writer::commit)
                        .isInstanceOf(JournalException.class)
                        .hasMessageContaining("given up");
            }
            assertThat(names()).containsExactly("snapshot-0000000000000001.snapshot");
            assertThat(journal.failure()).isNull();
            snapshot(journal, 2, "again");
            assertThat(contents(journal.snapshots().newest().orElseThrow())).containsExactly("again");
        }
    }

    /** Whether it is there after a loss of power nobody knows, and what it replaces must not be removed. */
    @Test
    void poisonsTheJournalWhenItsNameCannotBeMadeDurable() throws Exception {
        FaultyStorage storage = new FaultyStorage(FileStorage.open(folder));
        try (Journal journal = Journal.open(
                storage,
                JournalConfig.at(Durability.SYNC).withSegmentBytes(64 << 10).withPrepareInBackground(false))) {
            Records.appendAndCommit(journal, "one");
            try (SnapshotWriter writer = journal.snapshots().begin(1)) {
                storage.failOnce(FaultyStorage.Operation.SYNC_DIRECTORY, "", "Input/output error");
                assertThatThrownBy(writer::commit)
                        .isInstanceOf(JournalFailedException.class)
                        .hasMessageContaining("Input/output error");
            }
            assertThatThrownBy(() -> journal.trim(1)).isInstanceOf(JournalFailedException.class);
        }
    }

    @Test
    void isNotUsedForAnotherJournal() throws Exception {
        try (Journal journal = open()) {
            Records.appendAndCommit(journal, "one", "two");
            snapshot(journal, 2, "state");
        }
        byte[] snapshot = Files.readAllBytes(folder.resolve("snapshot-0000000000000002.snapshot"));
        try (Stream<Path> files = Files.list(folder)) {
            for (Path segment : files.filter(
                            file -> file.getFileName().toString().startsWith("segment"))
                    .toList()) {
                Files.delete(segment);
            }
            Files.delete(folder.resolve("snapshot-0000000000000002.snapshot"));
            Files.delete(folder.resolve(FileName.CLOSED));
        }
        try (Journal journal = open()) {
            Records.appendAndCommit(journal, "other", "records");
            Files.write(folder.resolve("snapshot-0000000000000002.snapshot"), snapshot);
            assertThat(journal.snapshots().newest()).isEmpty();
        }
    }

    /** It would bring the effects of the lost records back as soon as others have their sequences. */
    @Test
    void isNeverUsedAgainOnceTheJournalHasLostRecordsThatAreInIt() throws Exception {
        Path segment = folder.resolve("segment-0000000000000001.journal");
        byte[] shorter;
        try (Journal journal = open()) {
            Records.appendAndCommit(journal, "one", "two");
            snapshot(journal, 2, "state of two");
            shorter = Files.readAllBytes(segment);
            Records.appendAndCommit(journal, "lost", "lost");
            snapshot(journal, 4, "state of what is lost");
        }
        Files.write(segment, shorter);
        assertThatThrownBy(this::open)
                .isInstanceOf(JournalCorruptException.class)
                .hasMessageContaining("so says snapshot-0000000000000004.snapshot");
        repair();
        for (int opening = 0; opening < 3; opening++) {
            try (Journal journal = open()) {
                assertThat(contents(journal.snapshots().newest().orElseThrow())).containsExactly("state of two");
                assertThat(journal.recovery().ahead()).isEmpty();
                Records.appendAndCommit(journal, "other", "records");
            }
        }
        assertThat(names())
                .containsExactly("snapshot-0000000000000002.snapshot", "snapshot-0000000000000004-epoch-1.cut");
    }

    /** It would remove those that its successor has trimmed the journal by. */
    @Test
    void isRefusedOnceTheJournalIsClosed() throws Exception {
        Journal old = open();
        Records.appendAndCommit(old, "one", "two");
        SnapshotWriter late = old.snapshots().begin(1);
        SnapshotWriter abandoned = old.snapshots().begin(2);
        old.close();
        try (Journal journal = open()) {
            Records.appendAndCommit(journal, "three", "four");
            snapshot(journal, 3, "three");
            snapshot(journal, 4, "four");
            try (SnapshotWriter ofSuccessor = journal.snapshots().begin(2)) {
                assertThatThrownBy(late::commit)
                        .isInstanceOf(JournalException.class)
                        .hasMessageContaining("is closed");
                assertThatThrownBy(() -> old.snapshots().begin(2))
                        .isInstanceOf(JournalException.class)
                        .hasMessageContaining("is closed");
                late.close();
                abandoned.close();
                assertThat(names())
                        .containsExactly(
                                "snapshot-0000000000000002.snapshot.tmp",
                                "snapshot-0000000000000003.snapshot",
                                "snapshot-0000000000000004.snapshot");
                ofSuccessor.commit();
            }
            assertThat(journal.snapshots().newest().orElseThrow().sequence()).isEqualTo(4);
        }
    }

    @Test
    void isWrittenByOneWriterAtATime() throws Exception {
        try (Journal journal = open()) {
            Records.appendAndCommit(journal, "one");
            try (SnapshotWriter writer = journal.snapshots().begin(1)) {
                assertThatThrownBy(() -> journal.snapshots().begin(1))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("being written already");
                MemorySegment frames = Records.frames(List.of("state"));
                writer.append(frames, 0, (int) frames.byteSize());
                writer.commit();
            }
            assertThat(contents(journal.snapshots().newest().orElseThrow())).containsExactly("state");
            journal.snapshots().begin(1).close();
            snapshot(journal, 1, "again");
            assertThat(contents(journal.snapshots().newest().orElseThrow())).containsExactly("again");
        }
    }

    @Test
    void isOfNoStateBeforeTheFirstOne() throws Exception {
        try (Journal journal = open()) {
            assertThatThrownBy(() -> journal.snapshots().begin(-1)).isInstanceOf(IllegalArgumentException.class);
            snapshot(journal, 0, "empty");
            assertThat(contents(journal.snapshots().newest().orElseThrow())).containsExactly("empty");
        }
    }

    /**
     * The records before it may not be on the device: the force that has failed is not made good by one that succeeds.
     */
    @Test
    void isRefusedOnceTheJournalIsPoisoned() throws Exception {
        FaultyStorage storage = new FaultyStorage(FileStorage.open(folder));
        try (Journal journal =
                Journal.open(storage, JournalConfig.at(Durability.PROCESS).withSegmentBytes(16 << 10))) {
            storage.failOnce(FaultyStorage.Operation.FORCE, "segment-0000000000000001.journal", "Input/output error");
            assertThatThrownBy(() -> {
                        while (true) {
                            Records.appendAndCommit(journal, "x".repeat(1000));
                        }
                    })
                    .isInstanceOf(JournalFailedException.class);
            long durable = journal.durableSequence().getAcquire();
            assertThatThrownBy(() -> snapshot(journal, durable, "state"))
                    .isInstanceOf(JournalFailedException.class)
                    .hasMessageContaining("Input/output error");
            assertThat(names()).isEmpty();
        }
    }

    private void repair() throws Exception {
        try (JournalTool tool =
                new JournalTool(folder, new Report(new PrintStream(OutputStream.nullOutputStream()), false))) {
            assertThat(tool.repair(false)).isTrue();
        }
    }

    private Journal open() throws JournalException {
        return Journal.open(folder, JournalConfig.at(Durability.SYNC).withSegmentBytes(64 << 10));
    }

    private static void snapshot(Journal journal, long sequence, String... state) throws JournalException {
        try (SnapshotWriter writer = journal.snapshots().begin(sequence)) {
            MemorySegment frames = Records.frames(List.of(state));
            writer.append(frames, 0, (int) frames.byteSize());
            writer.commit();
        }
    }

    private static List<String> contents(Snapshot snapshot) throws JournalException {
        List<String> contents = new ArrayList<>();
        snapshot.read((memory, offset, length) -> contents.add(Records.payload(memory, offset, length)));
        return contents;
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("snapshot"))
                    .sorted()
                    .toList();
        }
    }
}
