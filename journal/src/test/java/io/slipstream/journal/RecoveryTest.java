package io.slipstream.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.config.RecoveryPolicy;
import io.slipstream.journal.errors.JournalCorruptException;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.errors.JournalVersionException;
import io.slipstream.journal.format.FileName;
import io.slipstream.journal.record.JournalRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecoveryTest {
    private static final String SEGMENT_1 = "segment-0000000000000001.journal";

    @TempDir
    Path temp;

    Path folder;

    @BeforeEach
    void chooseFolder() {
        folder = temp.resolve("journal");
    }

    @Test
    void keepsWhatItCutsAndSaysWhere() throws Exception {
        byte[] image = crashedAfter(Durability.SYNC, List.of("kept"), List.of("x".repeat(1000), "y"));
        int start = offsetOf(image, "xxx") - JournalRecord.HEADER_BYTES;
        Arrays.fill(image, 512 * (start / 512 + 1), 512 * (start / 512 + 2), (byte) 0);
        write(image);
        try (Journal journal = Journal.open(folder, config(Durability.SYNC))) {
            RecoveryReport.Cut cut = Objects.requireNonNull(journal.recovery().cut());
            assertThat(cut.file()).isEqualTo(SEGMENT_1);
            assertThat(cut.offset()).isEqualTo(start);
            assertThat(cut.keptIn()).isEqualTo("segment-0000000000000001-at-" + start + "-epoch-1.cut");
            assertThat(cut.reason()).contains("wrong checksum");
            assertThat(Files.readAllBytes(folder.resolve(cut.keptIn())))
                    .isEqualTo(Arrays.copyOfRange(image, start, dataEnd(image)));
            assertThat(journal.recovery().clean()).isFalse();
            assertThat(Records.read(journal, 1)).containsExactly("kept");
            Records.appendAndCommit(journal, "new");
        }
        assertThat(reopen(Durability.SYNC)).containsExactly("kept", "new");
    }

    @Test
    void strictPolicyRefusesATornTailAndChangesNothing() throws Exception {
        byte[] image = crashedAfter(Durability.SYNC, List.of("kept"), List.of("x".repeat(1000), "y"));
        byte[] torn = Arrays.copyOf(image, dataEnd(image) - 20);
        write(torn);
        assertThatThrownBy(() -> Journal.open(folder, config(Durability.SYNC).withPolicy(RecoveryPolicy.STRICT)))
                .isInstanceOf(JournalCorruptException.class)
                .hasMessageContaining("STRICT cuts nothing");
        assertThat(Files.readAllBytes(folder.resolve(SEGMENT_1))).isEqualTo(torn);
    }

    @Test
    void refusesDamageToWhatWasDurableAndNamesFileAndOffset() throws Exception {
        byte[] image = crashedAfter(Durability.SYNC, List.of("first", "second"), List.of("third"));
        int at = offsetOf(image, "second");
        image[at] ^= 4;
        write(image);
        assertThatThrownBy(() -> Journal.open(folder, config(Durability.SYNC)))
                .isInstanceOfSatisfying(JournalCorruptException.class, e -> {
                    assertThat(e.file()).isEqualTo(SEGMENT_1);
                    assertThat(e.offset()).isEqualTo(at - JournalRecord.HEADER_BYTES);
                    assertThat(e.getMessage())
                            .contains(
                                    folder.toString(),
                                    "offset " + (at - JournalRecord.HEADER_BYTES),
                                    "wrong checksum",
                                    "Record 2 had been durable",
                                    "slipstream journal repair");
                });
        assertThat(Files.readAllBytes(folder.resolve(SEGMENT_1))).isEqualTo(image);
    }

    /** Somebody may be about to put things right by hand, and needs to see all as it was. */
    @Test
    void removesUnfinishedFilesOnlyWhenItOpensTheJournal() throws Exception {
        byte[] image = crashedAfter(Durability.SYNC, List.of("first", "second"), List.of("third"));
        byte[] damaged = image.clone();
        damaged[offsetOf(image, "second")] ^= 4;
        write(damaged);
        Path unfinished = folder.resolve("snapshot-0000000000000002.snapshot" + FileName.UNFINISHED);
        Files.write(unfinished, new byte[] {1, 2, 3});
        assertThatThrownBy(() -> Journal.open(folder, config(Durability.SYNC)))
                .isInstanceOf(JournalCorruptException.class)
                .hasMessageContaining("nothing was changed");
        assertThat(unfinished).hasBinaryContent(new byte[] {1, 2, 3});
        write(image);
        assertThat(reopen(Durability.SYNC)).containsExactly("first", "second", "third");
        assertThat(unfinished).doesNotExist();
    }

    @Test
    void refusesDamageToTheLastBatchThatNoInterruptedWriteDoes() throws Exception {
        byte[] image = crashedAfter(Durability.SYNC, List.of("first"), List.of("second", "third"));
        image[offsetOf(image, "second")] ^= 4;
        write(image);
        assertThatThrownBy(() -> Journal.open(folder, config(Durability.SYNC)))
                .isInstanceOf(JournalCorruptException.class)
                .hasMessageContaining("may have been acknowledged");
    }

    /**
     * Of a version to come nothing is known but the magic and where the version is, not even that it has a checksum.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 0x1234_5678, -1})
    void refusesANewerVersionWhateverElseIsInItsHeader(int foreign) throws Exception {
        byte[] image = crashedAfter(Durability.SYNC, List.of("first"), List.of("second"));
        image[8] = 3;
        CRC32C crc = new CRC32C();
        crc.update(image, 0, 124);
        ByteBuffer.wrap(image)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(124, foreign == -1 ? (int) crc.getValue() : foreign);
        write(image);
        assertThatThrownBy(() -> Journal.open(folder, config(Durability.SYNC)))
                .isInstanceOf(JournalVersionException.class)
                .hasMessageContaining("has format version 3; this program reads versions up to 2");
    }

    @Test
    void takesAFlippedBitInTheVersionForDamage() throws Exception {
        byte[] image = crashedAfter(Durability.SYNC, List.of("first"), List.of("second"));
        image[9] ^= 4;
        write(image);
        assertThatThrownBy(() -> Journal.open(folder, config(Durability.SYNC)))
                .isInstanceOf(JournalCorruptException.class);
    }

    @Test
    void refusesAMissingSegment() throws Exception {
        try (Journal journal = Journal.open(folder, config(Durability.PROCESS))) {
            for (int i = 0; i < 400; i++) {
                Records.appendAndCommit(journal, "x".repeat(200));
            }
        }
        Files.delete(folder.resolve("segment-0000000000000002.journal"));
        assertThatThrownBy(() -> Journal.open(folder, config(Durability.PROCESS)))
                .isInstanceOf(JournalCorruptException.class)
                .hasMessageContaining("has no file segment-0000000000000002.journal");
    }

    /**
     * Returns what a crash leaves after two committed batches: no mark of a proper end, no evidence for the second one.
     */
    private byte[] crashedAfter(Durability durability, List<String> first, List<String> second) throws IOException {
        Path live = temp.resolve("live");
        try (Journal journal = Journal.open(live, config(durability))) {
            Records.appendAndCommit(journal, first.toArray(String[]::new));
            Records.appendAndCommit(journal, second.toArray(String[]::new));
            return Files.readAllBytes(live.resolve(SEGMENT_1));
        }
    }

    private void write(byte[] image) throws IOException {
        Files.createDirectories(folder);
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.write(folder.resolve(SEGMENT_1), image);
    }

    private List<String> reopen(Durability durability) throws JournalException {
        try (Journal journal = Journal.open(folder, config(durability))) {
            return Records.read(journal, 1);
        }
    }

    private static JournalConfig config(Durability durability) {
        return JournalConfig.at(durability).withSegmentBytes(32 << 10).withPrepareInBackground(false);
    }

    private static int dataEnd(byte[] image) {
        int end = image.length;
        while (image[end - 1] == 0) {
            end--;
        }
        return end;
    }

    private static int offsetOf(byte[] image, String text) {
        return new String(image, StandardCharsets.ISO_8859_1).indexOf(text);
    }
}
