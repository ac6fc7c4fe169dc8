package io.slipstream.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.config.WriteMode;
import io.slipstream.journal.errors.JournalCorruptException;
import io.slipstream.journal.record.JournalRecord;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A byte that has changed is damage, and no interrupted write: below SYNC, too, and also among zeros.
 */
class FlippedByteTest {
    private static final int LENGTH = JournalRecord.HEADER_BYTES + 2000;
    private static final int RECORDS = 50;
    private static final String SEGMENT = "segment-0000000000000001.journal";

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(
            value = WriteMode.class,
            names = {"BUFFERED", "MAPPED", "DSYNC"})
    void cutsNoAcknowledgedRecordOff(WriteMode mode) throws Exception {
        byte[] image = write(config(mode, Durability.PROCESS));
        int record = offsetOf(image, 10);
        for (int at : new int[] {4, 9, 16, 30, 700, 1999}) {
            assertThatThrownBy(() -> open(damaged(image, record + at), config(mode, Durability.PROCESS)))
                    .as("byte %d", at)
                    .isInstanceOf(JournalCorruptException.class)
                    .hasMessageContaining("missing: record 10");
        }
    }

    /** Nothing behind the last batch says that it was acknowledged: a gap before it must not look like a torn one. */
    @ParameterizedTest
    @EnumSource(
            value = WriteMode.class,
            names = {"BUFFERED", "MAPPED", "DSYNC"})
    void cutsNoBatchOffBehindAGapThatHasChanged(WriteMode mode) throws Exception {
        JournalConfig config = config(mode, Durability.SYNC);
        byte[] image = write(config);
        int end = offsetOf(image, RECORDS - 1) + Frame.align(LENGTH);
        int block = end + 511 & -512;
        assertThat(block).isGreaterThan(end);
        for (int at = end; at < block; at++) {
            byte[] damaged = damaged(image, at);
            assertThatThrownBy(() -> open(damaged, config))
                    .as("byte %d of %d", at - end, block - end)
                    .isInstanceOf(JournalCorruptException.class)
                    .hasMessageContaining("missing: record " + RECORDS);
        }
    }

    private byte[] write(JournalConfig config) throws IOException {
        Path live = folder.resolve("live");
        try (Journal journal = Journal.open(live, config)) {
            MemorySegment frame = Arena.ofAuto().allocate(Frame.align(LENGTH), Frame.ALIGNMENT);
            for (int i = 0; i < RECORDS; i++) {
                JournalRecord.header(frame, 0, LENGTH, (short) 1, (byte) 1, (byte) 0);
                journal.append(frame, 0, (int) frame.byteSize());
                journal.commit();
            }
            return Files.readAllBytes(live.resolve(SEGMENT));
        }
    }

    private static byte[] damaged(byte[] image, int at) {
        byte[] damaged = image.clone();
        damaged[at] ^= 8;
        return damaged;
    }

    private void open(byte[] segment, JournalConfig config) throws IOException {
        Path copy = Files.createDirectories(folder.resolve("copy"));
        Files.write(copy.resolve(SEGMENT), segment);
        Journal.open(copy, config).close();
    }

    private static int offsetOf(byte[] image, long sequence) {
        ByteBuffer bytes = ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = 4096; at + LENGTH <= image.length; at += Frame.ALIGNMENT) {
            // All of it: a single byte may stand in a checksum, too.
            if (bytes.getInt(at) == LENGTH && bytes.getLong(at + JournalRecord.SEQUENCE_OFFSET) == sequence) {
                return at;
            }
        }
        throw new AssertionError();
    }

    private static JournalConfig config(WriteMode mode, Durability durability) {
        return JournalConfig.at(durability)
                .withWriteMode(mode)
                .withSegmentBytes(512 << 10)
                .withPrepareInBackground(false);
    }
}
