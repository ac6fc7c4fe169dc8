package io.slipstream.journal;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.config.WriteMode;
import io.slipstream.journal.errors.JournalCorruptException;
import io.slipstream.journal.record.JournalRecord;
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
 * Below SYNC, too, a byte that has changed is damage, and no interrupted write, also among zeros that look like one.
 */
class FlippedByteTest {
    private static final int LENGTH = JournalRecord.HEADER_BYTES + 2000;
    private static final int RECORDS = 50;

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(
            value = WriteMode.class,
            names = {"BUFFERED", "MAPPED", "DSYNC"})
    void cutsNoAcknowledgedRecordOff(WriteMode mode) throws Exception {
        Path live = folder.resolve("live");
        Path copy = Files.createDirectories(folder.resolve("copy"));
        String segment = "segment-0000000000000001.journal";
        byte[] image;
        try (Journal journal = Journal.open(live, config(mode))) {
            MemorySegment frame = Arena.ofAuto().allocate(Frame.align(LENGTH), Frame.ALIGNMENT);
            for (int i = 0; i < RECORDS; i++) {
                JournalRecord.header(frame, 0, LENGTH, (short) 1, (byte) 1, (byte) 0);
                journal.append(frame, 0, (int) frame.byteSize());
                journal.commit();
            }
            image = Files.readAllBytes(live.resolve(segment));
        }
        int record = offsetOf(image, 10);
        for (int at : new int[] {4, 9, 16, 30, 700, 1999}) {
            byte[] damaged = image.clone();
            damaged[record + at] ^= 8;
            Files.write(copy.resolve(segment), damaged);
            assertThatThrownBy(() -> Journal.open(copy, config(mode)))
                    .as("byte %d", at)
                    .isInstanceOf(JournalCorruptException.class)
                    .hasMessageContaining("missing: record 10");
        }
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

    private static JournalConfig config(WriteMode mode) {
        return JournalConfig.at(Durability.PROCESS)
                .withWriteMode(mode)
                .withSegmentBytes(512 << 10)
                .withPrepareInBackground(false);
    }
}
