package io.slipstream.journal;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.config.WriteMode;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.format.SegmentHeader;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.journal.record.RecordHandler;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AllocationTest {
    private static final int WARM_UP = 30_000;
    private static final int COUNTED = 20_000;
    private static final int FORCED_WARM_UP = 1_500;
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
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        RecordHandler handler = (memory, offset, length) -> sum += length;
        MemorySegment frames = Records.frames(List.of("x".repeat(100)));
        int bytes = (int) frames.byteSize();
        JournalConfig config =
                JournalConfig.at(Durability.PROCESS).withWriteMode(mode).withSegmentBytes(16 << 20);
        try (Journal journal = Journal.open(folder, config);
                JournalReader reader = journal.reader(1)) {
            for (int i = 0; i < WARM_UP; i++) {
                step(journal, frames, bytes, reader, handler);
            }
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < COUNTED; i++) {
                step(journal, frames, bytes, reader, handler);
            }
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            assertThat(sum).isEqualTo((long) (WARM_UP + COUNTED) * (JournalRecord.HEADER_BYTES + 100));
            // Less than a byte a record: what is left is the measuring itself and what the compiler gave up on the way.
            assertThat(allocated).isLessThan(COUNTED);
        }
    }

    @ParameterizedTest
    @EnumSource(WriteMode.class)
    void forcesWithoutGarbage(WriteMode mode) throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        MemorySegment frames = Records.frames(List.of("x".repeat(100)));
        int bytes = (int) frames.byteSize();
        JournalConfig config =
                JournalConfig.at(Durability.SYNC).withWriteMode(mode).withSegmentBytes(16 << 20);
        try (Journal journal = Journal.open(folder, config)) {
            for (int i = 0; i < FORCED_WARM_UP; i++) {
                journal.append(frames, 0, bytes);
                journal.commit();
            }
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < FORCED; i++) {
                journal.append(frames, 0, bytes);
                journal.commit();
            }
            assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(FORCED);
        }
    }

    @Test
    void appendsInAGroupWithoutGarbage() throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        MemorySegment frames = Records.frames(List.of("x".repeat(100)));
        int bytes = (int) frames.byteSize();
        try (Journal journal =
                Journal.open(folder, JournalConfig.at(Durability.PROCESS).withSegmentBytes(16 << 20))) {
            GroupCommit.Member member = new GroupCommit(journal).join();
            for (int i = 0; i < WARM_UP; i++) {
                member.append(frames, 0, bytes);
            }
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < COUNTED; i++) {
                member.append(frames, 0, bytes);
            }
            assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(COUNTED);
        }
    }

    /**
     * Reading goes from one full segment to the next, whose runs are compared with its index instead of the checksum of
     * each frame.
     */
    @Test
    void readsFullSegmentsWithoutGarbage() throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
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
            for (int i = 0; i < 5; i++) {
                read(journal, handler, count);
                journal.read(1, handler);
            }
            long before = threads.getCurrentThreadAllocatedBytes();
            read(journal, handler, count);
            long byReader = threads.getCurrentThreadAllocatedBytes() - before;
            journal.read(1, handler);
            long atOnce = threads.getCurrentThreadAllocatedBytes() - before - byReader;
            assertThat(sum)
                    .isEqualTo((6 * count + 6 * (journal.nextSequence() - 1)) * (JournalRecord.HEADER_BYTES + 100));
            // Nothing for a record: what there is goes to each segment that is opened, for its file and its index, and
            // is less than half a
            // byte for each of its records.
            assertThat(byReader).isLessThan(BYTES_A_SEGMENT * FULL_SEGMENTS).isLessThan(count / 2);
            assertThat(atOnce).isLessThan(BYTES_A_SEGMENT * FULL_SEGMENTS).isLessThan(count / 2);
        }
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
