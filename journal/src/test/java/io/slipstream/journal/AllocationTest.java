package io.slipstream.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.config.WriteMode;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.format.SegmentHeader;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.journal.record.RecordHandler;
import io.slipstream.testkit.Allocations;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AllocationTest {
    private static final int COUNTED = 20_000;
    private static final int FORCED = 500;
    private static final int FULL_SEGMENTS = 4;
    private static final int BYTES_A_SEGMENT = 30 << 10;

    @TempDir
    Path folder;

    private long sum;

    @ParameterizedTest
    @EnumSource(
            value = WriteMode.class,
            names = {"BUFFERED", "MAPPED"})
    void appendsCommitsAndReadsWithoutGarbage(WriteMode mode) throws Exception {
        RecordHandler handler = (memory, offset, length) -> sum += length;
        MemorySegment frames = Records.frames(List.of("x".repeat(100)));
        int bytes = (int) frames.byteSize();
        JournalConfig config =
                JournalConfig.at(Durability.PROCESS).withWriteMode(mode).withSegmentBytes(16 << 20);
        try (Journal journal = Journal.open(folder, config);
                JournalReader reader = journal.reader(1)) {
            assertLessThanAByteEach(COUNTED, i -> step(journal, frames, bytes, reader, handler));
            assertThat(sum).isEqualTo((journal.nextSequence() - 1) * (JournalRecord.HEADER_BYTES + 100));
        }
    }

    @ParameterizedTest
    @EnumSource(WriteMode.class)
    void forcesWithoutGarbage(WriteMode mode) throws Exception {
        MemorySegment frames = Records.frames(List.of("x".repeat(100)));
        int bytes = (int) frames.byteSize();
        JournalConfig config =
                JournalConfig.at(Durability.SYNC).withWriteMode(mode).withSegmentBytes(16 << 20);
        try (Journal journal = Journal.open(folder, config)) {
            assertLessThanAByteEach(FORCED, i -> {
                journal.append(frames, 0, bytes);
                journal.commit();
            });
        }
    }

    @Test
    void appendsInAGroupWithoutGarbage() throws Exception {
        MemorySegment frames = Records.frames(List.of("x".repeat(100)));
        int bytes = (int) frames.byteSize();
        try (Journal journal =
                Journal.open(folder, JournalConfig.at(Durability.PROCESS).withSegmentBytes(16 << 20))) {
            GroupCommit.Member member = new GroupCommit(journal).join();
            assertLessThanAByteEach(COUNTED, i -> member.append(frames, 0, bytes));
        }
    }

    /**
     * Reading goes from one full segment to the next, whose runs are compared with its index instead of the checksum of
     * each frame.
     */
    @Test
    void readsFullSegmentsWithoutGarbage() throws Exception {
        RecordHandler handler = (memory, offset, length) -> sum += length;
        MemorySegment frames = Records.frames(Collections.nCopies(100, "x".repeat(100)));
        JournalConfig config =
                JournalConfig.at(Durability.PROCESS).withSegmentBytes(8 << 20).withPrepareInBackground(false);
        try (Journal journal = Journal.open(folder, config)) {
            while (journal.catalog().segments().size() <= FULL_SEGMENTS) {
                journal.append(frames, 0, (int) frames.byteSize());
                journal.commit();
            }
            for (SegmentHeader header : journal.catalog().segments().subList(0, FULL_SEGMENTS)) {
                assertThat(Objects.requireNonNull(journal.catalog().index(header))
                                .end())
                        .isNotNull();
            }
            long count = journal.catalog().segments().getLast().baseSequence() - 1;
            // Nothing for a record: what there is goes to each segment that is opened, for its file and its index, and
            // is less than half a byte for each of its records.
            long enough = Math.min(BYTES_A_SEGMENT * FULL_SEGMENTS, count / 2);
            long byReader = Allocations.least(enough, () -> {
                sum = 0;
                read(journal, handler, count);
            });
            assertThat(byReader).isLessThanOrEqualTo(enough);
            assertThat(sum).isEqualTo(count * (JournalRecord.HEADER_BYTES + 100));
            long atOnce = Allocations.least(enough, () -> {
                sum = 0;
                journal.read(1, handler);
            });
            assertThat(atOnce).isLessThanOrEqualTo(enough);
            assertThat(sum).isEqualTo((journal.nextSequence() - 1) * (JournalRecord.HEADER_BYTES + 100));
        }
    }

    private static void assertLessThanAByteEach(int calls, Allocations.Call call) throws Exception {
        long least = Allocations.least(calls, () -> {
            for (int i = 0; i < calls; i++) {
                call.run(i);
            }
        });
        assertThat(least).isLessThanOrEqualTo(calls);
    }

    private static void read(Journal journal, RecordHandler handler, long count) throws JournalException {
        try (JournalReader reader = journal.reader(1)) {
            while (reader.nextSequence() <= count) {
                reader.poll(handler, (int) Math.min(10, count + 1 - reader.nextSequence()));
            }
        }
    }

    private static void step(
            Journal journal, MemorySegment frames, int bytes, JournalReader reader, RecordHandler handler)
            throws JournalException {
        journal.append(frames, 0, bytes);
        journal.commit();
        while (reader.poll(handler, 10) == 0) {
            Thread.onSpinWait();
        }
    }
}
