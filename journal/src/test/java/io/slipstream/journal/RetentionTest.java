package io.slipstream.journal;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(60)
class RetentionTest {
    private static final JournalConfig CONFIG = JournalConfig.at(Durability.PROCESS).withSegmentBytes(16 << 10);

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
                    long needed = tailers.values().stream().mapToLong(p -> p + 1).min().orElse(Long.MAX_VALUE);
                    if (!snapshots.isEmpty()) {
                        needed = Math.min(needed, snapshots.size() < 2 ? 1 : snapshots.get(snapshots.size() - 2) + 1);
                    }
                    assertThat(journal.firstSequence()).as("seed %d", seed).isLessThanOrEqualTo(Math.max(before, needed));
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
        try (Journal journal = Journal.open(folder, CONFIG); Tailer tailer = journal.tailer("billing");
             Tailer other = journal.tailer("audit")) {
            assertThat(tailer.committedSequence()).isEqualTo(2);
            assertThat(poll(tailer, 10)).containsExactly("three");
            assertThat(poll(other, 10)).containsExactly("one", "two", "three");
            assertThatThrownBy(() -> journal.tailer("No/Name")).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void findsRecordsByTheirTimeAndBySequenceThroughTheIndex() throws Exception {
        long[] millis = {1_000_000};
        JournalConfig config = JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 20)
                .withClock(() -> Instant.ofEpochMilli(millis[0]));
        try (Journal journal = Journal.open(folder, config)) {
            for (int i = 0; i < 10_000; i++) {
                millis[0] = 1_000_000 + i;
                Records.appendAndCommit(journal, AppendingProcess.payload(journal.nextSequence()));
            }
            awaitForced(journal);
            assertThat(Files.exists(folder.resolve("segment-0000000000000001.index"))).isTrue();
            for (int i = 0; i < 10_000; i += 777) {
                long sequence = journal.sequenceAt(Instant.ofEpochMilli(1_000_000 + i));
                assertThat(sequence).isBetween(i + 1 - 1000L, i + 1L);
                long from = i + 1;
                assertThat(Records.read(journal, from).getFirst()).isEqualTo(AppendingProcess.payload(from));
            }
            assertThat(journal.sequenceAt(Instant.EPOCH)).isEqualTo(1);
        }
    }

    @Test
    void leavesASegmentThatIsOldEnough() throws Exception {
        long[] millis = {0};
        JournalConfig config = CONFIG.withMaxSegmentAge(Duration.ofMinutes(1)).withClock(() -> Instant.ofEpochMilli(millis[0]));
        try (Journal journal = Journal.open(folder, config)) {
            for (int i = 0; i < 5; i++) {
                Records.appendAndCommit(journal, "a", "b");
                millis[0] += 30_000;
            }
            assertThat(Files.exists(folder.resolve("segment-0000000000000003.journal"))).isTrue();
            assertThat(Records.read(journal, 1)).hasSize(10);
        }
    }

    private static void moveTailer(Journal journal, Map<String, Long> tailers, String name, int count) throws JournalException {
        try (Tailer tailer = journal.tailer(name)) {
            tailer.poll((memory, offset, length) -> { }, count);
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
    private static void awaitForced(Journal journal) {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!journal.isBackgroundIdle()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    private static void checkFrom(Journal journal, long first) throws JournalException {
        List<String> found = Records.read(journal, first);
        assertThat((long) found.size()).isEqualTo(journal.nextSequence() - first);
        for (int i = 0; i < found.size(); i++) {
            assertThat(found.get(i)).isEqualTo(AppendingProcess.payload(first + i));
        }
    }
}
