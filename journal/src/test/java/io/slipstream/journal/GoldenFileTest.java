package io.slipstream.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalCorruptException;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.errors.JournalVersionException;
import io.slipstream.journal.format.FileName;
import io.slipstream.journal.format.PositionFile;
import io.slipstream.journal.storage.FileStorage;
import io.slipstream.journal.tool.JournalTool;
import io.slipstream.journal.tool.Report;
import io.slipstream.journal.tool.Selection;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files that any version has written must be read for ever, and this version must still write the same bytes.
 *
 * <p>The journals were written as {@link #write} does.
 */
class GoldenFileTest {
    private static final String SEGMENT = "segment-0000000000000001.journal";
    private static final String SNAPSHOT = "snapshot-0000000000000003.snapshot";
    private static final String POSITION = "tailer-billing.position";

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void readsWhatAnyVersionHasWritten(int version) throws Exception {
        unpack(version);
        try (Journal journal = Journal.open(folder, config())) {
            assertThat(journal.recovery().clean()).isTrue();
            assertThat(Records.read(journal, 1))
                    .containsExactly("first", "second", "", "a fourth one, after the snapshot");
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

    /** The segment is ended as it was begun, and the next one is of this version. */
    @Test
    void goesOnInAJournalOfVersion1() throws Exception {
        unpack(1);
        List<String> payloads = new ArrayList<>(List.of("first", "second", "", "a fourth one, after the snapshot"));
        for (int life = 0; life < 3; life++) {
            try (Journal journal = Journal.open(folder, config())) {
                for (int i = 0; i < 10; i++) {
                    String payload = "x".repeat(500) + life + i;
                    Records.appendAndCommit(journal, payload);
                    payloads.add(payload);
                }
                assertThat(Records.read(journal, 1)).isEqualTo(payloads);
            }
        }
        assertThat(versionOf(SEGMENT)).isEqualTo(1);
        assertThat(versionOf("segment-0000000000000002.journal")).isEqualTo(2);
    }

    private int versionOf(String file) throws IOException {
        return Files.readAllBytes(folder.resolve(file))[8];
    }

    /** A flipped bit is damage; anything else is a version to come, and refused. */
    @Test
    void refusesAPositionOfALaterVersion() throws Exception {
        unpack(2);
        Path file = folder.resolve(POSITION);
        byte[] golden = Files.readAllBytes(file);
        byte[] flipped = golden.clone();
        flipped[512 + 8] ^= 4;
        Files.write(file, flipped);
        try (FileStorage storage = FileStorage.openExisting(folder)) {
            assertThatThrownBy(() -> PositionFile.read(storage, FileName.tailer("billing")))
                    .isInstanceOf(JournalCorruptException.class)
                    .hasMessageContaining(
                            "slot 1 (offset 512) is damaged, or is that of another file; the other slot says 3");
        }
        byte[] later = golden.clone();
        later[512 + 8] = 4;
        later[512 + 60] = 1;
        later[512 + 48] ^= 1;
        Files.write(file, later);
        assertThatThrownBy(() -> Journal.open(folder, config()))
                .isInstanceOf(JournalVersionException.class)
                .hasMessageContaining(POSITION + " has format version 4");
        assertThat(Files.readAllBytes(file)).isEqualTo(later);
    }

    @Test
    void writesTheSameBytes() throws Exception {
        Path now = folder.resolve("now");
        write(now);
        for (String name : List.of(SEGMENT, SNAPSHOT)) {
            assertThat(Files.readAllBytes(now.resolve(name))).as(name).isEqualTo(resource("v2/" + name + ".gz"));
        }
        assertThat(Files.readAllBytes(now.resolve(POSITION))).isEqualTo(resource("v3/" + POSITION + ".gz"));
    }

    /** The position of v2 was created with one slot first, and with both later. */
    @ParameterizedTest
    @ValueSource(strings = {"v2/", "v2/both-slots/", "v3/"})
    void goesOnAtAPositionOfAnyVersion(String version) throws Exception {
        unpack(2);
        Files.write(folder.resolve(POSITION), resource(version + POSITION + ".gz"));
        try (Journal journal = Journal.open(folder, config())) {
            try (Tailer tailer = journal.tailer("billing")) {
                assertThat(tailer.committedSequence()).isEqualTo(3);
                tailer.poll((_, _, _) -> {}, 1);
                tailer.commit();
            }
            try (Tailer tailer = journal.tailer("billing")) {
                assertThat(tailer.committedSequence()).isEqualTo(4);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void dumpsAnyVersionAsItAlwaysDid(int version) throws Exception {
        unpack(version);
        assertThat(dump(folder)).isEqualTo(new String(resource("v1/dump.txt"), StandardCharsets.UTF_8));
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
        try (Journal journal = Journal.open(FileStorage.open(folder), config(), new UUID(1, 2))) {
            Records.appendAndCommit(journal, "first", "second");
            Records.appendAndCommit(journal, "");
            try (Tailer tailer = journal.tailer("billing")) {
                tailer.poll((_, _, _) -> {}, 2);
                tailer.commit();
                tailer.poll((_, _, _) -> {}, 1);
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

    private void unpack(int version) throws IOException {
        for (String name : List.of(SEGMENT, SNAPSHOT, POSITION)) {
            Files.write(folder.resolve(name), resource("v" + version + "/" + name + ".gz"));
        }
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in =
                Objects.requireNonNull(GoldenFileTest.class.getResourceAsStream("/golden/" + name), name)) {
            return name.endsWith(".gz") ? new GZIPInputStream(in).readAllBytes() : in.readAllBytes();
        }
    }

    private static JournalConfig config() {
        return JournalConfig.at(Durability.SYNC)
                .withSegmentBytes(64 << 10)
                .withPrepareInBackground(false)
                .withClock(() -> Instant.ofEpochMilli(1_800_000_000_000L));
    }
}
