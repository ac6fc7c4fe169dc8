package io.slipstream.journal;

import io.slipstream.journal.recovery.SegmentFile;
import io.slipstream.journal.segment.RunCheck;
import io.slipstream.journal.segment.SegmentHeader;
import io.slipstream.journal.segment.SegmentIndex;
import io.slipstream.journal.segment.SegmentScan;
import io.slipstream.journal.segment.Window;
import io.slipstream.journal.storage.FileStorage;
import io.slipstream.journal.storage.StorageFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Objects;
import java.util.zip.GZIPInputStream;

import static org.assertj.core.api.Assertions.assertThat;

/** The index of a full segment in version 2 must be read for ever, and this version must still write the same bytes. */
@Timeout(60)
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
        SegmentHeader header = Objects.requireNonNull(SegmentFile.read(storage, 1).header());
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
        unpack();
        byte[] golden = Files.readAllBytes(folder.resolve(INDEX));
        Path now = folder.resolve("now");
        write(now);
        byte[] written = Files.readAllBytes(now.resolve(INDEX));
        // The checksum of the segment's header covers the journal's id, which is chance, and that of the index covers it in turn.
        assertThat(Arrays.copyOf(written, 12)).isEqualTo(Arrays.copyOf(golden, 12));
        assertThat(Arrays.copyOfRange(written, 16, written.length - Integer.BYTES))
                .isEqualTo(Arrays.copyOfRange(golden, 16, golden.length - Integer.BYTES));
    }

    static void write(Path folder) throws JournalException {
        try (Journal journal = Journal.open(folder, JournalConfig.at(Durability.SYNC).withSegmentBytes(160 << 10)
                .withPrepareInBackground(false).withClock(() -> Instant.ofEpochMilli(1_800_000_000_000L)))) {
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
        SegmentHeader header = Objects.requireNonNull(SegmentFile.read(storage, 1).header());
        return Objects.requireNonNull(SegmentIndex.load(storage, header));
    }

    private boolean provesSegment(SegmentIndex index) throws IOException {
        try (StorageFile file = FileStorage.openExisting(folder).openForReading(SEGMENT)) {
            return RunCheck.provesAll(index, file, new Window(16 << 10));
        }
    }

    private void unpack() throws IOException {
        for (String name : new String[] {SEGMENT, INDEX}) {
            try (InputStream in = Objects.requireNonNull(
                    GoldenIndexTest.class.getResourceAsStream("/golden/index-v2/" + name + ".gz"), name)) {
                Files.write(folder.resolve(name), new GZIPInputStream(in).readAllBytes());
            }
        }
    }
}
