package io.slipstream.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clocks leap, go back and fail; records are kept whatever they do. */
class ClockTest {
    private static final long MINUTE = Duration.ofMinutes(1).toMillis();
    private static final long TEN_YEARS = Duration.ofDays(3650).toMillis();

    private final AtomicLong clock = new AtomicLong(1_800_000_000_000L);

    @TempDir
    Path folder;

    @Test
    void oneLeapOfTenYearsDoesNotEndTheAgeOfSegments() throws Exception {
        JournalConfig config = config().withMaxSegmentAge(Duration.ofMinutes(1));
        try (Journal journal = Journal.open(folder, config)) {
            Records.appendAndCommit(journal, "before");
            clock.addAndGet(TEN_YEARS);
            Records.appendAndCommit(journal, "in ten years");
            clock.addAndGet(-TEN_YEARS);
            assertThat(journal.aheadOfClock()).isEqualTo(Duration.ofMillis(TEN_YEARS));
            assertThat(segmentsInAnHour(journal)).isGreaterThan(50);
        }
        try (Journal journal = Journal.open(folder, config)) {
            assertThat(segmentsInAnHour(journal)).as("in the next life").isGreaterThan(50);
        }
    }

    @Test
    void aDayAfterOneLeapOfTenYearsRecordsAreFoundByTimeAgain() throws Exception {
        JournalConfig config = config().withMaxSegmentAge(Duration.ofMinutes(10));
        try (Journal journal = Journal.open(folder, config)) {
            appendMinutes(journal, 30);
            clock.addAndGet(TEN_YEARS);
            Records.appendAndCommit(journal, "in ten years");
            clock.addAndGet(-TEN_YEARS);
            appendMinutes(journal, 23 * 60);
            assertThat(journal.aheadOfClock()).isPositive();
            appendMinutes(journal, 3 * 60);
            assertThat(journal.aheadOfClock()).isZero();
            assertThat(recordsSince(journal, 60)).isBetween(60L, 75L);
        }
        try (Journal journal = Journal.open(folder, config)) {
            assertThat(journal.aheadOfClock()).isZero();
            appendMinutes(journal, 30);
            assertThat(recordsSince(journal, 60)).as("in the next life").isBetween(60L, 75L);
            long first = journal.sequenceAt(Instant.ofEpochMilli(clock.get() - 60 * MINUTE));
            assertThat(journal.trim(first)).as("retention by time").isGreaterThan(first - 20);
        }
    }

    @Test
    void aClockThatIsBehindForHoursAtAStartMakesNoRecordOld() throws Exception {
        try (Journal journal = Journal.open(folder, config().withMaxSegmentAge(Duration.ofMinutes(10)))) {
            appendMinutes(journal, 60);
            clock.addAndGet(-TEN_YEARS);
            appendMinutes(journal, 20 * 60);
            clock.addAndGet(TEN_YEARS);
            appendMinutes(journal, 1);
            long month = Duration.ofDays(30).toMinutes();
            assertThat(recordsSince(journal, month)).isEqualTo(journal.nextSequence() - 1);
        }
    }

    @Test
    void aClockThatIsRightIsNotBehind() throws Exception {
        try (Journal journal = Journal.open(folder, config())) {
            Records.appendAndCommit(journal, "one");
            assertThat(journal.aheadOfClock()).isZero();
        }
    }

    @Test
    void aClockThatThrowsStandsStill() throws Exception {
        boolean[] broken = {true};
        JournalConfig config = config().withMaxSegmentAge(Duration.ofMinutes(1)).withClock(() -> {
            if (broken[0]) {
                throw new IllegalStateException("no time");
            }
            return Instant.ofEpochMilli(clock.get());
        });
        try (Journal journal = Journal.open(folder, config)) {
            Records.appendAndCommit(journal, "without a clock");
            broken[0] = false;
            Records.appendAndCommit(journal, "with one");
            broken[0] = true;
            Records.appendAndCommit(journal, "without it again");
            try (SnapshotWriter snapshot = journal.snapshots().begin(3)) {
                MemorySegment frames = Records.frames(List.of("state"));
                snapshot.append(frames, 0, (int) frames.byteSize());
                snapshot.commit();
            }
            assertThat(journal.failure()).isNull();
            assertThat(Records.read(journal, 1)).hasSize(3);
        }
    }

    @Test
    void timesAndAgesOfAnySizeAreTaken() throws Exception {
        JournalConfig config = config().withMaxSegmentAge(Duration.ofSeconds(Long.MAX_VALUE));
        try (Journal journal = Journal.open(folder, config)) {
            Records.appendAndCommit(journal, "one", "two");
            assertThat(journal.sequenceAt(Instant.MIN)).isEqualTo(1);
            assertThat(journal.sequenceAt(Instant.MAX)).isBetween(1L, 3L);
            assertThat(journal.sequenceAt(Instant.ofEpochMilli(Long.MIN_VALUE))).isEqualTo(1);
        }
    }

    private void appendMinutes(Journal journal, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            clock.addAndGet(MINUTE);
            Records.appendAndCommit(journal, "minute " + i);
        }
    }

    private long recordsSince(Journal journal, long minutes) throws Exception {
        return journal.nextSequence() - journal.sequenceAt(Instant.ofEpochMilli(clock.get() - minutes * MINUTE));
    }

    private int segmentsInAnHour(Journal journal) throws Exception {
        long before = journal.catalog().segments().getLast().number();
        for (int i = 0; i < 61; i++) {
            clock.addAndGet(MINUTE);
            Records.appendAndCommit(journal, "minute " + i);
        }
        return (int) (journal.catalog().segments().getLast().number() - before);
    }

    private JournalConfig config() {
        return JournalConfig.at(Durability.PROCESS)
                .withSegmentBytes(16 << 10)
                .withPrepareInBackground(false)
                .withClock(() -> Instant.ofEpochMilli(clock.get()));
    }
}
