package io.slipstream.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.errors.JournalFailedException;
import io.slipstream.journal.format.FileName;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.journal.segment.SegmentIndex;
import io.slipstream.journal.storage.FileStorage;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RetentionTest {
    private static final JournalConfig CONFIG =
            JournalConfig.at(Durability.PROCESS).withSegmentBytes(16 << 10);

    @TempDir
    Path folder;

    @Test
    void neverRemovesWhatTheKeptSnapshotsOrATailerStillNeed() throws Exception {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        List<Long> snapshots = new ArrayList<>();
        Map<String, Long> tailers = new HashMap<>();
        long durable = 0;
        for (int opening = 0; opening < 8; opening++) {
            try (Journal journal = Journal.open(folder, CONFIG.withSpareSegments(random.nextInt(3)))) {
                for (int step = 0; step < 60; step++) {
                    long before = journal.firstSequence();
                    switch (random.nextInt(6)) {
                        case 0, 1 -> {
                            for (int i = 0; i < 20; i++) {
                                Records.append(journal, AppendingProcess.payload(journal.nextSequence()));
                            }
                            journal.commit();
                            durable = journal.durableSequence().getAcquire();
                        }
                        case 2 -> {
                            if (durable > (snapshots.isEmpty() ? 0 : snapshots.getLast())) {
                                snapshot(journal, durable);
                                snapshots.add(durable);
                            }
                        }
                        case 3 -> moveTailer(journal, tailers, "tailer-" + random.nextInt(3), random.nextInt(200));
                        default -> journal.trim(1 + random.nextLong(durable + 1));
                    }
                    long needed = tailers.values().stream()
                            .mapToLong(p -> p + 1)
                            .min()
                            .orElse(Long.MAX_VALUE);
                    if (!snapshots.isEmpty()) {
                        needed = Math.min(needed, snapshots.size() < 2 ? 1 : snapshots.get(snapshots.size() - 2) + 1);
                    }
                    assertThat(journal.firstSequence())
                            .as("seed %d", seed)
                            .isLessThanOrEqualTo(Math.max(before, needed));
                    checkFrom(journal, journal.firstSequence());
                }
                durable = journal.nextSequence() - 1;
            }
        }
        assertThat(durable).isPositive();
    }

    @Test
    void usesTheFilesOfTrimmedSegmentsAgainAndNeverSeesTheirOldRecords() throws Exception {
        try (Journal journal = Journal.open(folder, CONFIG.withSpareSegments(4))) {
            for (int i = 0; i < 3000; i++) {
                Records.appendAndCommit(journal, AppendingProcess.payload(journal.nextSequence()));
                if (i % 200 == 0) {
                    awaitForced(journal);
                    journal.trim(journal.nextSequence() - 50);
                }
            }
        }
        try (Journal journal = Journal.open(folder, CONFIG)) {
            assertThat(journal.firstSequence()).isGreaterThan(1);
            checkFrom(journal, journal.firstSequence());
            assertThat(journal.nextSequence()).isEqualTo(3001);
        }
    }

    @Test
    void aTailerGoesOnWhereItHasCommitted() throws Exception {
        try (Journal journal = Journal.open(folder, CONFIG)) {
            Records.appendAndCommit(journal, "one", "two", "three");
            try (Tailer tailer = journal.tailer("billing")) {
                assertThat(poll(tailer, 2)).containsExactly("one", "two");
                tailer.commit();
                assertThat(poll(tailer, 2)).containsExactly("three");
                assertThatThrownBy(() -> journal.tailer("billing")).isInstanceOf(IllegalStateException.class);
            }
        }
        try (Journal journal = Journal.open(folder, CONFIG);
                Tailer tailer = journal.tailer("billing");
                Tailer other = journal.tailer("audit")) {
            assertThat(tailer.committedSequence()).isEqualTo(2);
            assertThat(poll(tailer, 10)).containsExactly("three");
            assertThat(poll(other, 10)).containsExactly("one", "two", "three");
            assertThatThrownBy(() -> journal.tailer("No/Name")).isInstanceOf(IllegalArgumentException.class);
        }
    }

    /** Below SYNC the system writes the position back in its own time, and the records as well. */
    @Test
    void aTailerThatIsAheadOfALostTailSeesTheRecordsThatTakeItsPlace() throws Exception {
        JournalConfig config = CONFIG.withSegmentBytes(64 << 10);
        Path segment = folder.resolve("segment-0000000000000001.journal");
        byte[] old;
        try (Journal journal = Journal.open(folder, config)) {
            Records.appendAndCommit(journal, "one", "two");
            old = Files.readAllBytes(segment);
            Records.appendAndCommit(journal, "lost", "lost");
            try (Tailer tailer = journal.tailer("billing")) {
                assertThat(poll(tailer, 10)).hasSize(4);
                tailer.commit();
            }
            journal.tailer("audit").close();
        }
        Files.write(segment, old);
        // It was not closed before the power went.
        Files.delete(folder.resolve(FileName.CLOSED));
        try (Journal journal = Journal.open(folder, config)) {
            assertThat(journal.recovery().ahead()).containsExactly("tailer-billing.position");
            Records.appendAndCommit(journal, "three", "four", "five");
        }
        try (Journal journal = Journal.open(folder, config);
                Tailer tailer = journal.tailer("billing");
                Tailer other = journal.tailer("audit")) {
            assertThat(journal.recovery().ahead()).isEmpty();
            assertThat(tailer.committedSequence()).isEqualTo(2);
            assertThat(poll(tailer, 10)).containsExactly("three", "four", "five");
            assertThat(poll(other, 10)).containsExactly("one", "two", "three", "four", "five");
        }
    }

    @Test
    void aRecordWhoseHandlerThrowsComesAgain() throws Exception {
        try (Journal journal = Journal.open(folder, CONFIG);
                Tailer tailer = journal.tailer("billing")) {
            for (int i = 1; i <= 100; i++) {
                Records.appendAndCommit(journal, AppendingProcess.payload(i));
            }
            List<Long> handled = new ArrayList<>();
            for (long failing : new long[] {1, 30, 31, 100}) {
                assertThatThrownBy(() -> tailer.poll(
                                (memory, offset, length) -> {
                                    if (JournalRecord.sequence(memory, offset) == failing) {
                                        throw new IllegalStateException("cannot handle " + failing);
                                    }
                                    handled.add(JournalRecord.sequence(memory, offset));
                                },
                                1000))
                        .hasMessage("cannot handle " + failing);
                tailer.commit();
                assertThat(tailer.committedSequence()).isEqualTo(failing - 1);
            }
            tailer.poll((memory, offset, length) -> handled.add(JournalRecord.sequence(memory, offset)), 1000);
            assertThat(handled).isEqualTo(LongStream.rangeClosed(1, 100).boxed().toList());
        }
    }

    @Test
    void refusesToTrimWhileAPositionCannotBeReadAndGoesOn() throws Exception {
        try (Journal journal = Journal.open(folder, CONFIG)) {
            for (int i = 1; i <= 200; i++) {
                Records.appendAndCommit(journal, AppendingProcess.payload(i));
            }
            Path position = Files.write(folder.resolve("tailer-x.position"), new byte[1024]);
            assertThatThrownBy(() -> journal.trim(150))
                    .isInstanceOf(JournalException.class)
                    .isNotInstanceOf(JournalFailedException.class)
                    .hasMessageContaining("tailer-x.position")
                    .hasMessageContaining("Nothing was removed");
            assertThatThrownBy(() -> journal.tailer("x")).isInstanceOf(JournalException.class);
            assertThat(journal.failure()).isNull();
            assertThat(journal.firstSequence()).isEqualTo(1);
            Files.delete(position);
            awaitForced(journal);
            assertThat(journal.trim(150)).isGreaterThan(1);
            journal.commit();
        }
    }

    /** Snapshots and tailers may be removed by another thread while the owner looks at what is still needed. */
    @Test
    void trimsWhileOtherThreadsReplaceSnapshotsAndRemoveTailers() throws Exception {
        try (Journal journal = Journal.open(folder, CONFIG);
                ExecutorService threads = Executors.newFixedThreadPool(2)) {
            Records.appendAndCommit(journal, AppendingProcess.payload(1));
            AtomicBoolean done = new AtomicBoolean();
            Future<?> snapshots = threads.submit(() -> {
                while (!done.get()) {
                    snapshot(journal, journal.durableSequence().getAcquire());
                }
                return null;
            });
            Future<?> tailers = threads.submit(() -> {
                while (!done.get()) {
                    journal.tailer("passing").close();
                    journal.removeTailer("passing");
                }
                return null;
            });
            try {
                for (int i = 2; i <= 1500; i++) {
                    Records.appendAndCommit(journal, AppendingProcess.payload(i));
                    journal.trim(journal.nextSequence());
                }
            } finally {
                done.set(true);
            }
            snapshots.get();
            tailers.get();
            assertThat(journal.failure()).isNull();
            checkFrom(journal, journal.firstSequence());
        }
    }

    @Test
    void aPositionThatWasHalfMadeIsMadeAnew() throws Exception {
        FaultyStorage storage = new FaultyStorage(FileStorage.open(folder));
        try (Journal journal = Journal.open(storage, CONFIG)) {
            Records.appendAndCommit(journal, "one");
            for (FaultyStorage.Operation operation :
                    List.of(FaultyStorage.Operation.WRITE, FaultyStorage.Operation.FORCE)) {
                storage.failOnce(operation, "tailer-billing", "No space left on device");
                assertThatThrownBy(() -> journal.tailer("billing"))
                        .isInstanceOf(JournalException.class)
                        .hasMessageContaining("No space left on device");
            }
            try (Tailer tailer = journal.tailer("billing")) {
                assertThat(poll(tailer, 2)).containsExactly("one");
            }
        }
        assertThat(storage.open).isEmpty();
    }

    @Test
    void findsAllRecordsOfATimeAlsoWhenTheClockGoesBack() throws Exception {
        long[] millis = {1_000_000};
        JournalConfig config = CONFIG.withClock(() -> Instant.ofEpochMilli(millis[0]));
        long[] begun = new long[20];
        for (int opening = 0; opening < 2; opening++) {
            try (Journal journal = Journal.open(folder, config)) {
                for (int hour = opening * 10; hour < opening * 10 + 10; hour++) {
                    millis[0] = 1_000_000 + (hour == 5 || hour == 10 || hour == 13 ? 0 : hour * 3_600_000L);
                    begun[hour] = journal.nextSequence();
                    for (int i = 0; i < 100; i++) {
                        Records.appendAndCommit(journal, AppendingProcess.payload(journal.nextSequence()));
                    }
                }
                awaitForced(journal);
                for (int hour = 0; hour < opening * 10 + 10; hour++) {
                    if (hour == 5 || hour == 10 || hour == 13) {
                        continue;
                    }
                    // So small a segment has one entry at most: where it begins, or where it was gone on with.
                    assertThat(journal.sequenceAt(Instant.ofEpochMilli(1_000_000 + hour * 3_600_000L)))
                            .as("hour %d", hour)
                            .isBetween(
                                    journal.catalog().holding(begun[hour] - 1).baseSequence(), begun[hour]);
                }
            }
        }
    }

    @Test
    void findsRecordsByTheirTimeAndBySequenceThroughTheIndex() throws Exception {
        long[] millis = {1_000_000};
        JournalConfig config = JournalConfig.at(Durability.PROCESS)
                .withSegmentBytes(1 << 20)
                .withClock(() -> Instant.ofEpochMilli(millis[0]));
        long batch = LongStream.rangeClosed(1, 10_000)
                .map(i -> bytesBetween(i, i + 1))
                .max()
                .orElseThrow();
        try (Journal journal = Journal.open(folder, config)) {
            for (int i = 0; i < 10_000; i++) {
                millis[0] = 1_000_000 + i;
                Records.appendAndCommit(journal, AppendingProcess.payload(journal.nextSequence()));
            }
            awaitForced(journal);
            assertThat(Files.exists(folder.resolve("segment-0000000000000001.index")))
                    .isTrue();
            for (int i = 0; i < 10_000; i += 777) {
                long from = i + 1;
                long sequence = journal.sequenceAt(Instant.ofEpochMilli(1_000_000 + i));
                assertThat(sequence).isLessThanOrEqualTo(from);
                assertThat(bytesBetween(sequence, from)).isLessThanOrEqualTo(2 * SegmentIndex.INTERVAL_BYTES + batch);
                assertThat(Records.read(journal, from).getFirst()).isEqualTo(AppendingProcess.payload(from));
            }
            assertThat(journal.sequenceAt(Instant.EPOCH)).isEqualTo(1);
        }
        try (Journal journal = Journal.open(folder, config)) {
            long live = journal.catalog().segments().getLast().baseSequence();
            assertThat(bytesBetween(live, 10_001)).isGreaterThan(3 * SegmentIndex.INTERVAL_BYTES);
            for (int i = 0; i < 10_000; i += 777) {
                long from = i + 1;
                long sequence = journal.sequenceAt(Instant.ofEpochMilli(1_000_000 + i));
                // The marks of the segment that is gone on with are not looked for again.
                long least = from > live ? live : from;
                assertThat(sequence).isLessThanOrEqualTo(from);
                assertThat(bytesBetween(sequence, least)).isLessThanOrEqualTo(2 * SegmentIndex.INTERVAL_BYTES + batch);
            }
        }
    }

    @Test
    void findsRecordsWithoutAnIndexThatCannotBeRead() throws Exception {
        FaultyStorage storage = new FaultyStorage(FileStorage.open(folder));
        try (Journal journal = Journal.open(storage, CONFIG)) {
            for (int i = 1; i <= 400; i++) {
                Records.appendAndCommit(journal, AppendingProcess.payload(i));
            }
            awaitForced(journal);
            storage.add((operation, name) -> {
                if (operation == FaultyStorage.Operation.OPEN && name.endsWith(".index")) {
                    throw new IOException("Input/output error");
                }
            });
            checkFrom(journal, 1);
            assertThat(journal.sequenceAt(Instant.EPOCH)).isEqualTo(1);
        }
    }

    @Test
    void leavesASegmentThatIsOldEnough() throws Exception {
        long[] millis = {0};
        JournalConfig config =
                CONFIG.withMaxSegmentAge(Duration.ofMinutes(1)).withClock(() -> Instant.ofEpochMilli(millis[0]));
        try (Journal journal = Journal.open(folder, config)) {
            for (int i = 0; i < 5; i++) {
                Records.appendAndCommit(journal, "a", "b");
                millis[0] += 30_000;
            }
            assertThat(Files.exists(folder.resolve("segment-0000000000000003.journal")))
                    .isTrue();
            assertThat(Records.read(journal, 1)).hasSize(10);
        }
    }

    private static void moveTailer(Journal journal, Map<String, Long> tailers, String name, int count)
            throws JournalException {
        try (Tailer tailer = journal.tailer(name)) {
            tailer.poll((memory, offset, length) -> {}, count);
            tailer.commit();
            tailers.put(name, tailer.committedSequence());
        }
    }

    private static void snapshot(Journal journal, long sequence) throws JournalException {
        try (SnapshotWriter writer = journal.snapshots().begin(sequence)) {
            MemorySegment frames = Records.frames(List.of("state"));
            writer.append(frames, 0, (int) frames.byteSize());
            writer.commit();
        }
    }

    private static List<String> poll(Tailer tailer, int count) throws JournalException {
        List<String> payloads = new ArrayList<>();
        tailer.poll((memory, offset, length) -> payloads.add(Records.payload(memory, offset, length)), count);
        return payloads;
    }

    /** Waits until the background has forced and indexed the full segments. */
    private static void awaitForced(Journal journal) throws Exception {
        Await.until("the background is idle", journal::isBackgroundIdle);
    }

    /** Returns how many bytes the records from {@code first} up to {@code end}, which is not one of them, take. */
    private static long bytesBetween(long first, long end) {
        return LongStream.range(first, end)
                .map(i -> Frame.align(
                        JournalRecord.HEADER_BYTES + AppendingProcess.payload(i).length()))
                .sum();
    }

    private static void checkFrom(Journal journal, long first) throws JournalException {
        List<String> found = Records.read(journal, first);
        assertThat((long) found.size()).isEqualTo(journal.nextSequence() - first);
        for (int i = 0; i < found.size(); i++) {
            assertThat(found.get(i)).isEqualTo(AppendingProcess.payload(first + i));
        }
    }
}
