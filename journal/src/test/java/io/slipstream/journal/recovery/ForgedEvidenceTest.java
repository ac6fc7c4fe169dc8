package io.slipstream.journal.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.Journal;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.config.RecoveryPolicy;
import io.slipstream.journal.format.Mark;
import io.slipstream.journal.format.SegmentHeader;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.journal.storage.FileStorage;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A payload may hold the bytes of a mark: those of another journal, or of somebody who wants the service not to start
 * again.
 */
class ForgedEvidenceTest {
    private static final String SEGMENT = "segment-0000000000000001.journal";
    private static final int MISSING = 4;
    private static final int SHORT = 1024;
    private static final int LONG = (5 << 19) + 1024;
    private static final int FORGED_AT = 512;
    private static final int SECTOR = 512;

    @TempDir
    private Path temp;

    /** What a mark in a payload says, and in which of the two records of a torn batch it is. */
    enum Forgery {
        /** The greatest durable sequence that there is. */
        OF_ANY_RECORD(1, 0, Long.MAX_VALUE, 1, Decision.CUT),
        /** Sequences that cannot come so soon. */
        OF_LATER_RECORDS(1, MISSING + 1000, MISSING + 999, 1, Decision.CUT),
        /** An epoch for whose beginning there was no room. */
        OF_A_LATER_EPOCH(7, MISSING + 2, MISSING + 1, 1, Decision.CUT),
        /** All as in a genuine one, but it lies in a record that is whole. */
        IN_A_WHOLE_RECORD(1, MISSING + 2, MISSING + 1, 1, Decision.CUT),
        /**
         * This cannot be told from a genuine one: damage could have changed the header of the record in the same way.
         */
        IN_A_TORN_RECORD(1, MISSING + 2, MISSING + 1, 0, Decision.REFUSE_CORRUPT);

        private final int epoch;
        private final long sequence;
        private final long durable;
        private final int record;
        private final Decision decision;

        Forgery(int epoch, long sequence, long durable, int record, Decision decision) {
            this.epoch = epoch;
            this.sequence = sequence;
            this.durable = durable;
            this.record = record;
            this.decision = decision;
        }

        byte[] bytes(int seed) {
            ByteBuffer mark = ByteBuffer.allocate(Mark.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            mark.putInt(0, Mark.LENGTH)
                    .putShort(8, Mark.TYPE)
                    .put(10, (byte) 1)
                    .putInt(12, epoch)
                    .putLong(16, sequence)
                    .putLong(24, durable);
            CRC32C crc = new CRC32C();
            crc.update(mark.array(), 8, Mark.BYTES - 8);
            return mark.putInt(4, (int) crc.getValue() ^ Mark.LENGTH * 0x9E3779B9 ^ seed)
                    .array();
        }
    }

    @ParameterizedTest
    @EnumSource(Forgery.class)
    void doesNotMakeATornTailADamagedOne(Forgery forgery) throws Exception {
        examines(forgery, SHORT);
    }

    @ParameterizedTest
    @EnumSource(Forgery.class)
    void doesNotMakeATornTailOfLongRecordsADamagedOne(Forgery forgery) throws Exception {
        examines(forgery, LONG);
    }

    private void examines(Forgery forgery, int length) throws IOException {
        Path folder = Files.createDirectory(temp.resolve("journal"));
        Files.write(folder.resolve(SEGMENT), tornBatchWith(forgery, length));
        assertThat(new Recovery(FileStorage.open(folder), config(length), RecoveryPolicy.TAIL).examine())
                .returns(forgery.decision, Findings::decision)
                .returns(MISSING - 1L, Findings::lastSequence);
    }

    /**
     * Returns a segment with three records, and a batch of two more; a sector of the first of these was never written.
     */
    private byte[] tornBatchWith(Forgery forgery, int length) throws IOException {
        Path live = temp.resolve("live");
        MemorySegment memory = Arena.ofAuto().allocate(2 * length, Frame.ALIGNMENT);
        try (Journal journal = Journal.open(live, config(length))) {
            while (journal.nextSequence() < MISSING) {
                JournalRecord.header(memory, 0, length, (short) 1, (byte) 1, (byte) 0);
                journal.append(memory, 0, length);
            }
            journal.commit();
            int seed = SegmentHeader.seed(SegmentHeader.VERSION, journal.id(), 1);
            memory.fill((byte) 7);
            JournalRecord.header(memory, 0, length, (short) 1, (byte) 1, (byte) 0);
            JournalRecord.header(memory, length, length, (short) 1, (byte) 1, (byte) 0);
            MemorySegment.copy(
                    forgery.bytes(seed),
                    0,
                    memory,
                    ValueLayout.JAVA_BYTE,
                    (long) forgery.record * length + FORGED_AT,
                    Mark.BYTES);
            journal.append(memory, 0, 2 * length);
            journal.commit();
            byte[] image = Files.readAllBytes(live.resolve(SEGMENT));
            int torn = (indexOf(image, length, MISSING) / SECTOR + (forgery.record == 0 ? 2 : 1)) * SECTOR;
            Arrays.fill(image, torn, torn + SECTOR, (byte) 0);
            return image;
        }
    }

    private static int indexOf(byte[] image, int length, long sequence) {
        ByteBuffer in = ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = 4096; at < image.length; at += Frame.ALIGNMENT) {
            if (in.getInt(at) == length && in.getLong(at + JournalRecord.SEQUENCE_OFFSET) == sequence) {
                return at;
            }
        }
        throw new AssertionError("no such record");
    }

    private static JournalConfig config(int length) {
        return JournalConfig.at(Durability.SYNC)
                .withSegmentBytes(length == SHORT ? 64 << 10 : 16 << 20)
                .withPrepareInBackground(false);
    }
}
