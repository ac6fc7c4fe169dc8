package io.slipstream.journal;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.errors.JournalVersionException;
import io.slipstream.journal.format.FileName;
import io.slipstream.journal.format.PositionFile;
import io.slipstream.journal.storage.FileStorage;
import io.slipstream.journal.tool.JournalTool;
import io.slipstream.journal.tool.Report;
import io.slipstream.journal.tool.Selection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPInputStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Files that version 1 has written must be read for ever, and this version must still write the same bytes.
 *
 * <p>The journal was written as {@link #write} does; only its id is chance.
 */
@Timeout(60)
class GoldenFileTest {
    private static final String SEGMENT = "segment-0000000000000001.journal";
    private static final String SNAPSHOT = "snapshot-0000000000000003.snapshot";
    private static final String POSITION = "tailer-billing.position";
    private static final int HEADER = 4096;

    @TempDir
    Path folder;

    @Test
    void readsWhatVersion1HasWritten() throws Exception {
        unpack();
        try (Journal journal = Journal.open(folder, config())) {
            assertThat(journal.recovery().clean()).isTrue();
            assertThat(Records.read(journal, 1)).containsExactly("first", "second", "", "a fourth one, after the snapshot");
            Snapshot snapshot = journal.snapshots().newest().orElseThrow();
            assertThat(snapshot.sequence()).isEqualTo(3);
            snapshot.read((memory, offset, length) ->
                    assertThat(Records.payload(memory, offset, length)).isEqualTo("the state behind 3"));
            assertThat(journal.nextSequence()).isEqualTo(5);
            try (Tailer tailer = journal.tailer("billing")) {
                assertThat(tailer.committedSequence()).isEqualTo(3);
            }
        }
    }

    /** A flipped bit is damage, and the other slot holds; anything else is a version to come, and refused. */
    @Test
    void refusesAPositionOfALaterVersion() throws Exception {
        unpack();
        Path file = folder.resolve(POSITION);
        byte[] golden = Files.readAllBytes(file);
        byte[] flipped = golden.clone();
        flipped[512 + 8] ^= 2;
        Files.write(file, flipped);
        try (FileStorage storage = FileStorage.openExisting(folder)) {
            assertThat(PositionFile.read(storage, FileName.tailer("billing"))).isEqualTo(3);
        }
        byte[] later = golden.clone();
        later[512 + 8] = 2;
        later[512 + 40] = 1;
        later[512 + 32] ^= 1;
        Files.write(file, later);
        assertThatThrownBy(() -> Journal.open(folder, config())).isInstanceOf(JournalVersionException.class)
                .hasMessageContaining(POSITION + " has format version 2");
        assertThat(Files.readAllBytes(file)).isEqualTo(later);
    }

    @Test
    void writesTheSameBytes() throws Exception {
        unpack();
        byte[] golden = Files.readAllBytes(folder.resolve(SEGMENT));
        byte[] goldenSnapshot = Files.readAllBytes(folder.resolve(SNAPSHOT));
        Path now = folder.resolve("now");
        write(now);
        byte[] written = Files.readAllBytes(now.resolve(SEGMENT));
        byte[] writtenSnapshot = Files.readAllBytes(now.resolve(SNAPSHOT));
        assertThat(written).hasSameSizeAs(golden);
        assertThat(Arrays.copyOf(written, 16)).isEqualTo(Arrays.copyOf(golden, 16));
        assertThat(Arrays.copyOfRange(written, 32, 124)).isEqualTo(Arrays.copyOfRange(golden, 32, 124));
        assertThat(Arrays.copyOfRange(written, HEADER, written.length))
                .isEqualTo(Arrays.copyOfRange(golden, HEADER, golden.length));
        assertThat(Arrays.copyOfRange(writtenSnapshot, HEADER, writtenSnapshot.length))
                .isEqualTo(Arrays.copyOfRange(goldenSnapshot, HEADER, goldenSnapshot.length));
        assertThat(Files.readAllBytes(now.resolve(POSITION))).isEqualTo(resource(POSITION + ".gz"));
    }

    @Test
    void dumpsVersion1AsItAlwaysDid() throws Exception {
        unpack();
        assertThat(dump(folder)).isEqualTo(new String(resource("dump.txt"), StandardCharsets.UTF_8));
    }

    static String dump(Path folder) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (PrintStream print = new PrintStream(out, false, StandardCharsets.UTF_8);
             JournalTool tool = new JournalTool(folder, new Report(print, false))) {
            assertThat(tool.dump(Selection.ALL)).isTrue();
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    static void write(Path folder) throws JournalException {
        try (Journal journal = Journal.open(folder, config())) {
            Records.appendAndCommit(journal, "first", "second");
            Records.appendAndCommit(journal, "");
            try (Tailer tailer = journal.tailer("billing")) {
                tailer.poll((_, _, _) -> { }, 2);
                tailer.commit();
                tailer.poll((_, _, _) -> { }, 1);
                tailer.commit();
            }
            try (SnapshotWriter writer = journal.snapshots().begin(3)) {
                MemorySegment frames = Records.frames(List.of("the state behind 3"));
                writer.append(frames, 0, (int) frames.byteSize());
                writer.commit();
            }
        }
        try (Journal journal = Journal.open(folder, config())) {
            Records.appendAndCommit(journal, "a fourth one, after the snapshot");
        }
    }

    private void unpack() throws IOException {
        Files.write(folder.resolve(SEGMENT), resource(SEGMENT + ".gz"));
        Files.write(folder.resolve(SNAPSHOT), resource(SNAPSHOT + ".gz"));
        Files.write(folder.resolve(POSITION), resource(POSITION + ".gz"));
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(GoldenFileTest.class.getResourceAsStream("/golden/v1/" + name), name)) {
            return name.endsWith(".gz") ? new GZIPInputStream(in).readAllBytes() : in.readAllBytes();
        }
    }

    private static JournalConfig config() {
        return JournalConfig.at(Durability.SYNC).withSegmentBytes(64 << 10).withPrepareInBackground(false)
                .withClock(() -> Instant.ofEpochMilli(1_800_000_000_000L));
    }
}
