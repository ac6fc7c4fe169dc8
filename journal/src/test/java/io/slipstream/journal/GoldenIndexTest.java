package io.slipstream.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalCorruptException;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.format.SegmentHeader;
import io.slipstream.journal.recovery.SegmentFile;
import io.slipstream.journal.segment.RunCheck;
import io.slipstream.journal.segment.SegmentIndex;
import io.slipstream.journal.segment.SegmentScan;
import io.slipstream.journal.segment.Window;
import io.slipstream.journal.storage.FileStorage;
import io.slipstream.journal.storage.StorageFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The index of a full segment in version 2 must be read for ever, and this version must still write the same bytes. */
class GoldenIndexTest {
    private static final String SEGMENT = "segment-0000000000000001.journal";
    private static final String INDEX = "segment-0000000000000001.index";
    private static final int RECORDS = 1000;

    @TempDir
    Path folder;

    @Test
    void readsWhatVersion2HasWritten() throws Exception {
        unpack();
        SegmentIndex index = index();
        SegmentIndex.End end = Objects.requireNonNull(index.end());
        assertThat(index.size()).isGreaterThan(1);
        assertThat(provesSegment(index)).isTrue();
        FileStorage storage = FileStorage.openExisting(folder);
        SegmentHeader header =
                Objects.requireNonNull(SegmentFile.read(storage, 1).header());
        try (StorageFile file = storage.openForReading(SEGMENT)) {
            SegmentScan scan = new SegmentScan(file, header, new Window(16 << 10));
            while (scan.next() != SegmentScan.Step.END) {
                assertThat(scan.damage()).isEmpty();
            }
            assertThat(end.nextSequence()).isEqualTo(scan.nextSequence());
            assertThat(end.offset()).isEqualTo(scan.end());
            assertThat(end.checksum()).isEqualTo(scan.lastChecksum());
            assertThat(end.epoch()).isEqualTo(scan.epoch());
        }
    }

    @Test
    void findsAnyOtherByteInTheSegment() throws Exception {
        unpack();
        byte[] segment = Files.readAllBytes(folder.resolve(SEGMENT));
        long runsEnd = Objects.requireNonNull(index().end()).runsEnd();
        for (int at = SegmentHeader.BYTES; at < runsEnd; at += 997) {
            byte[] other = segment.clone();
            other[at] ^= 4;
            Files.write(folder.resolve(SEGMENT), other);
            assertThat(provesSegment(index())).as("byte %d", at).isFalse();
        }
    }

    @Test
    void writesTheSameBytes() throws Exception {
        byte[] golden = resource("v2/indexed.index");
        Path now = folder.resolve("now");
        write(now);
        byte[] written = Files.readAllBytes(now.resolve(INDEX));
        assertThat(written).isEqualTo(golden);
    }

    /** Frame by frame, a record is found damaged also where the checksum of its run says that it is not. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void takesNoNoticeOfAnIndexOfAnotherVersion(int version) throws Exception {
        write(folder);
        try (Journal journal = Journal.open(folder, config())) {
            giveIndex(version);
            assertThat(SegmentIndex.load(
                            FileStorage.openExisting(folder), journal.catalog().oldest()))
                    .isNull();
            for (int from : new int[] {1, RECORDS / 2, RECORDS}) {
                assertThat(Records.read(journal, from)).isEqualTo(payloads(from));
            }
            damageRecord();
            giveIndex(version);
            assertThatThrownBy(() -> Records.read(journal, 1))
                    .isInstanceOf(JournalCorruptException.class)
                    .hasMessageContaining(SEGMENT);
        }
        assertThatThrownBy(() -> Journal.open(folder, config()))
                .isInstanceOf(JournalCorruptException.class)
                .hasMessageContaining(SEGMENT);
    }

    /** Otherwise the test above would prove nothing. */
    @Test
    void believesTheSameIndexOfVersion2() throws Exception {
        write(folder);
        damageRecord();
        giveIndex(2);
        try (Journal journal = Journal.open(folder, config())) {
            assertThat(Records.read(journal, 1)).hasSize(RECORDS).isNotEqualTo(payloads(1));
        }
    }

    /** Damages the payload of a record in the first run. */
    private void damageRecord() throws IOException {
        byte[] segment = Files.readAllBytes(folder.resolve(SEGMENT));
        segment[SegmentHeader.BYTES + 20_000] ^= 1;
        Files.write(folder.resolve(SEGMENT), segment);
    }

    /** Changes the version of the index, which fits in all else to what is in the segment. */
    private void giveIndex(int version) throws IOException {
        byte[] segment = Files.readAllBytes(folder.resolve(SEGMENT));
        byte[] image = Files.readAllBytes(folder.resolve(INDEX));
        ByteBuffer index = ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN);
        int firstEntry = 80;
        int entryBytes = 5 * Long.BYTES;
        int endOfRun = (int) index.getLong(firstEntry + entryBytes);
        index.putInt(8, version);
        index.putLong(firstEntry + entryBytes - Long.BYTES, checksum(segment, SegmentHeader.BYTES, endOfRun));
        index.putInt(image.length - Integer.BYTES, checksum(image, 0, image.length - Integer.BYTES));
        Files.write(folder.resolve(INDEX), image);
    }

    private static int checksum(byte[] bytes, int from, int to) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, to - from);
        return (int) crc.getValue();
    }

    private static List<String> payloads(int from) {
        return IntStream.rangeClosed(from, RECORDS)
                .mapToObj(AppendingProcess::payload)
                .toList();
    }

    private static JournalConfig config() {
        return JournalConfig.at(Durability.SYNC)
                .withSegmentBytes(160 << 10)
                .withPrepareInBackground(false)
                .withClock(() -> Instant.ofEpochMilli(1_800_000_000_000L));
    }

    static void write(Path folder) throws JournalException {
        try (Journal journal = Journal.open(FileStorage.open(folder), config(), new UUID(1, 2))) {
            for (int i = 1; i <= RECORDS; i += 100) {
                for (int k = i; k < i + 100; k++) {
                    Records.append(journal, AppendingProcess.payload(k));
                }
                journal.commit();
            }
        }
    }

    private SegmentIndex index() throws IOException {
        FileStorage storage = FileStorage.openExisting(folder);
        SegmentHeader header =
                Objects.requireNonNull(SegmentFile.read(storage, 1).header());
        return Objects.requireNonNull(SegmentIndex.load(storage, header));
    }

    private boolean provesSegment(SegmentIndex index) throws IOException {
        try (StorageFile file = FileStorage.openExisting(folder).openForReading(SEGMENT)) {
            return RunCheck.provesAll(index, file, new Window(16 << 10));
        }
    }

    private void unpack() throws IOException {
        Files.write(folder.resolve(SEGMENT), resource("index-v2/" + SEGMENT));
        Files.write(folder.resolve(INDEX), resource("index-v2/" + INDEX));
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in =
                Objects.requireNonNull(GoldenIndexTest.class.getResourceAsStream("/golden/" + name + ".gz"), name)) {
            return new GZIPInputStream(in).readAllBytes();
        }
    }
}
