package io.slipstream.journal.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.Journal;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.config.WriteMode;
import io.slipstream.journal.format.FileName;
import io.slipstream.journal.format.SegmentHeader;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.journal.recovery.SegmentFile;
import io.slipstream.journal.storage.FileStorage;
import io.slipstream.journal.storage.StorageFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SegmentScanTest {
    private static final int LENGTH = 5000;

    @TempDir
    Path folder;

    /** At SYNC each batch begins with a block of its own, and so does each run: behind a gap. */
    @ParameterizedTest
    @CsvSource({"PROCESS, BUFFERED", "PROCESS, MAPPED", "SYNC, BUFFERED", "SYNC, MAPPED"})
    void looksAtTheChecksumsOfRunsAloneInAFullSegment(Durability durability, WriteMode mode) throws Exception {
        JournalConfig config = JournalConfig.at(durability)
                .withSegmentBytes(512 << 10)
                .withWriteMode(mode)
                .withPrepareInBackground(false);
        try (Journal journal = Journal.open(folder, config)) {
            MemorySegment memory = Arena.ofAuto().allocate(Frame.align(LENGTH), Frame.ALIGNMENT);
            for (int i = 0; i < 150; i++) {
                JournalRecord.header(memory, 0, LENGTH, (short) 1, (byte) 1, (byte) 0);
                journal.append(memory, 0, Frame.align(LENGTH));
                journal.commit();
            }
        }
        FileStorage storage = FileStorage.openExisting(folder);
        SegmentHeader header =
                Objects.requireNonNull(SegmentFile.read(storage, 1).header());
        SegmentIndex index = Objects.requireNonNull(SegmentIndex.load(storage, header));
        try (StorageFile file = storage.openForReading(FileName.of(1))) {
            SegmentScan scan = new SegmentScan(file, header, new Window(1 << 20));
            scan.trust(index);
            int frames = 0;
            SegmentScan.Step step = scan.next();
            while (step == SegmentScan.Step.RECORD || step == SegmentScan.Step.MARK) {
                frames++;
                assertThat(scan.isProven())
                        .as("frame %d at %d", frames, scan.offset())
                        .isTrue();
                step = scan.next();
            }
            assertThat(step).isEqualTo(SegmentScan.Step.END);
            assertThat(frames).isGreaterThan(50);
        }
    }
}
