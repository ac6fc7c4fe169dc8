package io.slipstream.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalCorruptException;
import io.slipstream.journal.format.FileName;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Opening that reads the last segments alone: what it finds, and what is left to who reads the others. */
class TailVerificationTest {
    private static final JournalConfig ALL = JournalConfig.at(Durability.SYNC).withSegmentBytes(32 << 10);
    private static final JournalConfig TAIL = ALL.withVerification(JournalConfig.Verification.TAIL);
    private static final int RECORDS = 60;
    private static final int FIRST_FRAME = 4096;

    @TempDir
    private Path folder;

    private long segments;

    @BeforeEach
    void fillSegments() throws Exception {
        try (Journal journal = Journal.open(folder, ALL)) {
            for (int i = 0; i < RECORDS; i++) {
                Records.appendAndCommit(journal, "record " + i + "x".repeat(1000));
            }
        }
        try (Journal journal = Journal.open(folder, TAIL)) {
            segments = journal.recovery().segments();
        }
        assertThat(segments).isGreaterThan(6);
    }

    @Test
    void findsAllRecordsAndGoesOn() throws Exception {
        try (Journal journal = Journal.open(folder, TAIL)) {
            assertThat(journal.recovery().records()).isEqualTo(RECORDS);
            Records.appendAndCommit(journal, "more");
            assertThat(Records.read(journal, 1)).hasSize(RECORDS + 1).endsWith("more");
        }
    }

    @Test
    void leavesDamageInOldSegmentsToWhoReadsThem() throws Exception {
        flip(2, FIRST_FRAME + 100);
        assertThatThrownBy(() -> Journal.open(folder, ALL)).isInstanceOf(JournalCorruptException.class);
        try (Journal journal = Journal.open(folder, TAIL)) {
            assertThatThrownBy(() -> Records.read(journal, 1))
                    .isInstanceOf(JournalCorruptException.class)
                    .hasMessageContaining(FileName.of(2));
            long behind = 2L * RECORDS / segments + 4;
            assertThat(Records.read(journal, behind)).hasSize((int) (RECORDS + 1 - behind));
        }
    }

    @Test
    void refusesDamageInTheLastSegments() throws Exception {
        flip(segments - 1, FIRST_FRAME + 100);
        assertThatThrownBy(() -> Journal.open(folder, TAIL))
                .isInstanceOf(JournalCorruptException.class)
                .hasMessageContaining(FileName.of(segments - 1));
    }

    @Test
    void refusesAnOldSegmentWhoseHeaderDoesNotFollowTheOneBefore() throws Exception {
        rewriteHeader(3, 56, 1);
        assertThatThrownBy(() -> Journal.open(folder, TAIL))
                .isInstanceOf(JournalCorruptException.class)
                .hasMessageContaining(FileName.of(3));
    }

    @Test
    void refusesAnOldSegmentThatIsMissing() throws Exception {
        Files.delete(folder.resolve(FileName.of(2)));
        assertThatThrownBy(() -> Journal.open(folder, TAIL))
                .isInstanceOf(JournalCorruptException.class)
                .hasMessageContaining("has no file " + FileName.of(2));
    }

    private void flip(long segment, int at) throws Exception {
        Path file = folder.resolve(FileName.of(segment));
        byte[] image = Files.readAllBytes(file);
        image[at] ^= 1;
        Files.write(file, image);
    }

    /** Writes a long into a header, and the checksum that it then has. */
    private void rewriteHeader(long segment, int field, long value) throws Exception {
        Path file = folder.resolve(FileName.of(segment));
        byte[] image = Files.readAllBytes(file);
        ByteBuffer header = ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN);
        header.putLong(field, value);
        CRC32C crc = new CRC32C();
        crc.update(image, 0, 124);
        header.putInt(124, (int) crc.getValue());
        Files.write(file, image);
    }
}
