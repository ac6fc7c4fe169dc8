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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    /**
     * A length of 0 says that nothing was written there, and one that is a power of two has a single bit. Such a record
     * begins a block, or follows others in one; it is longer than what is read at a time, or not.
     */
    @ParameterizedTest
    @ValueSource(ints = {32, 64, 512, 1 << 14, 1 << 21})
    void cutsNoRecordOffThatHasLostItsLength(int length) throws Exception {
        for (WriteMode mode : new WriteMode[] {WriteMode.BUFFERED, WriteMode.MAPPED, WriteMode.DSYNC}) {
            for (int records = 1; records <= 2; records++) {
                JournalConfig config = config(mode, Durability.SYNC).withSegmentBytes(16 << 20);
                byte[] image = write(config, length, 3, records);
                for (int last = 0; last < records; last++) {
                    int sequence = 3 * records - last;
                    byte[] damaged = image.clone();
                    int at = offsetOf(image, length, sequence) + Integer.numberOfTrailingZeros(length) / Byte.SIZE;
                    damaged[at] = 0;
                    assertThatThrownBy(() -> open(damaged, config))
                            .as("record %d of batches of %d, %s", sequence, records, mode)
                            .isInstanceOf(JournalCorruptException.class)
                            .hasMessageContaining("a frame of " + length + " bytes whose length is wrong by one bit")
                            .hasMessageContaining("nothing was changed");
                }
            }
        }
    }

    /** The next segment says where this one ends, also where nothing says that its records had been forced. */
    @Test
    void cutsNoSegmentOffBehindZerosThatHaveChanged() throws Exception {
        JournalConfig config = config(WriteMode.BUFFERED, Durability.PROCESS);
        Path live = folder.resolve("two");
        try (Journal journal = Journal.open(live, config)) {
            MemorySegment frame = Arena.ofAuto().allocate(Frame.align(LENGTH), Frame.ALIGNMENT);
            while (journal.nextSequence() <= 400) {
                JournalRecord.header(frame, 0, LENGTH, (short) 1, (byte) 1, (byte) 0);
                journal.append(frame, 0, (int) frame.byteSize());
                journal.commit();
            }
        }
        byte[] first = Files.readAllBytes(live.resolve(SEGMENT));
        int end = first.length;
        while (first[end - 1] == 0) {
            end--;
        }
        assertThat(end).isLessThan(first.length - 512);
        for (int at : new int[] {end + 16, first.length - 1}) {
            Files.write(live.resolve(SEGMENT), damaged(first, at));
            assertThatThrownBy(() -> Journal.open(live, config).close())
                    .as("byte %d", at)
                    .isInstanceOf(JournalCorruptException.class)
                    .hasMessageContaining("nothing was changed");
        }
        Files.write(live.resolve(SEGMENT), first);
        try (Journal journal = Journal.open(live, config)) {
            assertThat(journal.nextSequence()).isEqualTo(401);
        }
    }

    private byte[] write(JournalConfig config) throws IOException {
        return write(config, LENGTH, RECORDS, 1);
    }

    private byte[] write(JournalConfig config, int length, int batches, int records) throws IOException {
        Path live = Files.createTempDirectory(folder, "live");
        try (Journal journal = Journal.open(live, config)) {
            MemorySegment frame = Arena.ofAuto().allocate(Frame.align(length), Frame.ALIGNMENT);
            for (int i = 0; i < batches; i++) {
                for (int j = 0; j < records; j++) {
                    JournalRecord.header(frame, 0, length, (short) 1, (byte) 1, (byte) 0);
                    journal.append(frame, 0, (int) frame.byteSize());
                }
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
        return offsetOf(image, LENGTH, sequence);
    }

    private static int offsetOf(byte[] image, int length, long sequence) {
        ByteBuffer bytes = ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = 4096; at + length <= image.length; at += Frame.ALIGNMENT) {
            // All of it: a single byte may stand in a checksum, too.
            if (bytes.getInt(at) == length && bytes.getLong(at + JournalRecord.SEQUENCE_OFFSET) == sequence) {
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
