package io.slipstream.journal.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.Journal;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.config.RecoveryPolicy;
import io.slipstream.journal.config.WriteMode;
import io.slipstream.journal.errors.JournalCorruptException;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.format.FileName;
import io.slipstream.journal.format.SegmentHeader;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.journal.recovery.Recovered;
import io.slipstream.journal.recovery.Recovery;
import io.slipstream.journal.recovery.SegmentFile;
import io.slipstream.journal.storage.FileStorage;
import io.slipstream.journal.storage.StorageFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

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
        append(config, 150);
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

    /** Opening has looked at each frame of the last segment, so that readers need not do that once more. */
    @ParameterizedTest
    @CsvSource({"PROCESS, BUFFERED", "PROCESS, MAPPED", "SYNC, BUFFERED", "SYNC, MAPPED"})
    void looksAtTheChecksumsOfRunsInASegmentThatGoesOn(Durability durability, WriteMode mode) throws Exception {
        JournalConfig config = JournalConfig.at(durability)
                .withSegmentBytes(1 << 20)
                .withWriteMode(mode)
                .withPrepareInBackground(false);
        append(config, 30);
        append(config, 60);
        FileStorage storage = FileStorage.openExisting(folder);
        Recovered recovered = new Recovery(storage, config, RecoveryPolicy.TAIL).run();
        SegmentHeader header = Objects.requireNonNull(recovered.lastSegment());
        try (StorageFile file = storage.openForReading(FileName.of(1))) {
            SegmentScan scan = new SegmentScan(file, header, new Window(1 << 20));
            scan.trust(recovered.index());
            int frames = 0;
            int proven = 0;
            SegmentScan.Step step = scan.next();
            while (step == SegmentScan.Step.RECORD || step == SegmentScan.Step.MARK) {
                frames++;
                proven += scan.isProven() ? 1 : 0;
                step = scan.next();
            }
            assertThat(step).isEqualTo(SegmentScan.Step.END);
            assertThat(scan.nextSequence()).isEqualTo(91);
            assertThat(frames - proven).as("frames of the last run").isBetween(1, 20);
        }
    }

    @ParameterizedTest
    @EnumSource(WriteMode.class)
    void findsAByteThatWasChangedInARunOfASegmentThatGoesOn(WriteMode mode) throws Exception {
        JournalConfig config = JournalConfig.at(Durability.PROCESS)
                .withSegmentBytes(1 << 20)
                .withWriteMode(mode)
                .withPrepareInBackground(false);
        append(config, 30);
        try (Journal journal = Journal.open(folder, config)) {
            append(journal, 60);
            assertThat(journal.read(1, (memory, offset, length) -> {})).isEqualTo(90);
            for (int percent : new int[] {5, 50}) {
                changeByte((90L * LENGTH) * percent / 100);
                assertThatThrownBy(() -> journal.read(1, (memory, offset, length) -> {}))
                        .isInstanceOf(JournalCorruptException.class);
                changeByte((90L * LENGTH) * percent / 100);
            }
            assertThat(journal.read(1, (memory, offset, length) -> {})).isEqualTo(90);
        }
    }

    private void changeByte(long at) throws IOException {
        try (FileChannel channel =
                FileChannel.open(folder.resolve(FileName.of(1)), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            channel.read(one, at);
            one.put(0, (byte) (one.get(0) ^ 1));
            channel.write(one.flip(), at);
        }
    }

    private void append(JournalConfig config, int records) throws JournalException {
        try (Journal journal = Journal.open(folder, config)) {
            append(journal, records);
        }
    }

    private static void append(Journal journal, int records) throws JournalException {
        MemorySegment memory = Arena.ofAuto().allocate(Frame.align(LENGTH), Frame.ALIGNMENT);
        for (int i = 0; i < records; i++) {
            JournalRecord.header(memory, 0, LENGTH, (short) 1, (byte) 1, (byte) 0);
            journal.append(memory, 0, Frame.align(LENGTH));
            journal.commit();
        }
    }
}
