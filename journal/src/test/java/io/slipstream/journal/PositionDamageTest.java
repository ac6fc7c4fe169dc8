package io.slipstream.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalCorruptException;
import io.slipstream.journal.format.FileName;
import io.slipstream.journal.format.PositionFile;
import io.slipstream.journal.storage.FileStorage;
import io.slipstream.journal.tool.JournalTool;
import io.slipstream.journal.tool.Report;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A damaged slot of a position is reported by name. It is not passed over in silence, and not overwritten. */
class PositionDamageTest {
    private static final int SLOT = 512;
    private static final JournalConfig CONFIG =
            JournalConfig.at(Durability.SYNC).withSegmentBytes(64 << 10).withPrepareInBackground(false);

    @TempDir
    Path folder;

    @Test
    void ofATailerIsRefusedUntilItIsRepaired() throws Exception {
        Path file = writeAndFlip("tailer-billing.position");
        byte[] damaged = Files.readAllBytes(file);
        try (Journal journal = Journal.open(folder, CONFIG)) {
            assertThatThrownBy(() -> journal.tailer("billing"))
                    .isInstanceOf(JournalCorruptException.class)
                    .hasMessageContaining("slot")
                    .hasMessageContaining("journal repair");
        }
        assertThat(Files.readAllBytes(file)).isEqualTo(damaged);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JournalTool tool =
                new JournalTool(folder, new Report(new PrintStream(out, true, StandardCharsets.UTF_8), false))) {
            assertThat(tool.verify()).isFalse();
            assertThat(out.toString(StandardCharsets.UTF_8)).contains("tailer-billing.position", "is damaged");
            tool.repair(false);
            assertThat(tool.verify()).isTrue();
        }
        try (Journal journal = Journal.open(folder, CONFIG);
                Tailer tailer = journal.tailer("billing")) {
            assertThat(tailer.committedSequence()).isBetween(2L, 3L);
        }
    }

    /** The other slot holds an older position, and the tailer would go back to it. */
    @ParameterizedTest
    @CsvSource({"SYNC, true", "SYNC, false", "PROCESS, true", "PROCESS, false"})
    void aLostSectorIsRefusedAsADamagedOneIs(Durability durability, boolean zeros) throws Exception {
        JournalConfig config = CONFIG.durability() == durability
                ? CONFIG
                : JournalConfig.at(durability).withSegmentBytes(64 << 10).withPrepareInBackground(false);
        Path file = write(config, 3);
        byte[] image = Files.readAllBytes(file);
        assertThat(image[SLOT + 16]).as("the newest slot").isGreaterThan(image[16]);
        Files.write(file, zeros ? Arrays.copyOf(Arrays.copyOf(image, SLOT), 2 * SLOT) : Arrays.copyOf(image, SLOT));
        try (Journal journal = Journal.open(folder, config)) {
            assertThatThrownBy(() -> journal.tailer("billing"))
                    .isInstanceOf(JournalCorruptException.class)
                    .hasMessageContaining("slot 1 (offset 512)")
                    .hasMessageContaining("journal repair");
        }
        requireVerifyToNameIt();
    }

    @Test
    void theOtherSlotIsMissedAsWell() throws Exception {
        Path file = write(CONFIG, 2);
        byte[] image = Files.readAllBytes(file);
        Files.write(file, zeroed(image, 0));
        try (Journal journal = Journal.open(folder, CONFIG)) {
            assertThatThrownBy(() -> journal.tailer("billing"))
                    .isInstanceOf(JournalCorruptException.class)
                    .hasMessageContaining("slot 0 (offset 0)");
        }
        requireVerifyToNameIt();
    }

    @Test
    void aRepairSaysWhereTheTailerStandsThen() throws Exception {
        Path file = write(CONFIG, 2);
        Files.write(file, zeroed(Files.readAllBytes(file), 0));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JournalTool tool =
                new JournalTool(folder, new Report(new PrintStream(out, true, StandardCharsets.UTF_8), false))) {
            tool.repair(true);
            tool.repair(false);
        }
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("bring-back  file tailer-billing.position  to 1\n")
                .contains("brought-back  file tailer-billing.position  to 1\n");
        try (Journal journal = Journal.open(folder, CONFIG);
                Tailer tailer = journal.tailer("billing")) {
            assertThat(tailer.committedSequence()).isEqualTo(1);
        }
    }

    @Test
    void aLostSlotOfANewTailerIsMissedBeforeItsFirstCommit() throws Exception {
        Path file = write(CONFIG, 0);
        Files.write(file, zeroed(Files.readAllBytes(file), SLOT));
        requireVerifyToNameIt();
    }

    /** Earlier, a file had one slot when it was created. */
    @Test
    void aFileThatWasCreatedWithOneSlotIsStillRead() throws Exception {
        Path file = write(CONFIG, 0);
        byte[] image = Files.readAllBytes(file);
        Files.write(file, zeroed(image, 0));
        try (Journal journal = Journal.open(folder, CONFIG);
                Tailer tailer = journal.tailer("billing")) {
            assertThat(tailer.committedSequence()).isZero();
        }
    }

    @Test
    void aLostSlotOfWhatWasTrimmedIsReported() throws Exception {
        try (Journal journal = Journal.open(folder, CONFIG)) {
            while (journal.trim(Long.MAX_VALUE) == 1) {
                Records.appendAndCommit(journal, "a record");
            }
        }
        Path file = folder.resolve("trimmed.position");
        byte[] image = Files.readAllBytes(file);
        Files.write(file, zeroed(image, image[16] > image[SLOT + 16] ? SLOT : 0));
        assertThat(verify()).contains("trimmed.position", "is lost");
    }

    @Test
    void aLostSlotOfASkipIsRefused() throws Exception {
        try (Journal journal = Journal.open(folder, CONFIG)) {
            Records.appendAndCommit(journal, "one", "two", "three");
            PositionFile.create(FileStorage.open(folder), FileName.skip(2), journal.id(), 2, true);
        }
        Path file = folder.resolve(FileName.skip(2));
        Files.write(file, zeroed(Files.readAllBytes(file), SLOT));
        assertThatThrownBy(() -> Journal.open(folder, CONFIG))
                .isInstanceOf(JournalCorruptException.class)
                .hasMessageContaining("slot 1 (offset 512) is lost");
    }

    /** It is whole, of this journal, and newer than what it has replaced. */
    @ParameterizedTest
    @ValueSource(ints = {0, SLOT})
    void aSlotOfAnotherFileIsRefusedAndNothingIsChanged(int slot) throws Exception {
        byte[] other = Files.readAllBytes(write(CONFIG, 3));
        Path skip = folder.resolve(FileName.skip(2));
        try (Journal journal = Journal.open(folder, CONFIG)) {
            PositionFile.create(FileStorage.open(folder), FileName.skip(2), journal.id(), 2, true);
        }
        byte[] sound = Files.readAllBytes(skip);
        byte[] damaged = sound.clone();
        System.arraycopy(other, slot, damaged, slot, SLOT);
        Files.write(skip, damaged);
        assertThatThrownBy(() -> Journal.open(folder, CONFIG))
                .isInstanceOf(JournalCorruptException.class)
                .hasMessageContaining(FileName.skip(2))
                .hasMessageContaining("(offset " + slot + ") is damaged, or is that of another file");
        assertThat(Files.readAllBytes(skip)).isEqualTo(damaged);
        Files.write(skip, sound);
        try (Journal journal = Journal.open(folder, CONFIG)) {
            assertThat(journal.skips().contains(2)).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, SLOT})
    void aSlotInThePlaceOfTheOtherOneIsRefused(int slot) throws Exception {
        Path file = write(CONFIG, 2);
        byte[] damaged = Files.readAllBytes(file);
        System.arraycopy(damaged, SLOT - slot, damaged, slot, SLOT);
        Files.write(file, damaged);
        try (Journal journal = Journal.open(folder, CONFIG)) {
            assertThatThrownBy(() -> journal.tailer("billing"))
                    .isInstanceOf(JournalCorruptException.class)
                    .hasMessageContaining("(offset " + slot + ") is damaged: it holds what was written for the other");
        }
        requireVerifyToNameIt();
    }

    /** Without it a lost end would go unnoticed, so that a journal that lost both would open as if it were whole. */
    @ParameterizedTest
    @ValueSource(strings = {"garbage", "empty", "short", "zeros", "slot 0", "slot 1", "flipped"})
    void theNoteOfClosingIsRefusedUntilItIsRepaired(String damage) throws Exception {
        write(CONFIG, 0);
        Path file = folder.resolve(FileName.CLOSED);
        byte[] damaged = damaged(Files.readAllBytes(file), damage);
        Files.write(file, damaged);
        assertThatThrownBy(() -> Journal.open(folder, CONFIG))
                .isInstanceOf(JournalCorruptException.class)
                .hasMessageContaining(FileName.CLOSED + " in " + folder + " is damaged: ")
                .hasMessageContaining("behind record 3")
                .hasMessageContaining("journal repair " + folder);
        assertThat(Files.readAllBytes(file)).isEqualTo(damaged);
        assertThat(verify()).contains(FileName.CLOSED, "nothing tells whether", "bad");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JournalTool tool =
                new JournalTool(folder, new Report(new PrintStream(out, true, StandardCharsets.UTF_8), false))) {
            tool.repair(true);
            assertThat(Files.readAllBytes(file)).isEqualTo(damaged);
            tool.repair(false);
        }
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("would  do write-anew", "repaired", "written-anew", FileName.CLOSED);
        assertThat(verify()).endsWith("good\n");
        Journal.open(folder, CONFIG).close();
    }

    @Test
    void theNoteOfClosingOfAnotherJournalIsRefused() throws Exception {
        write(CONFIG, 0);
        Path other = folder.resolve("other");
        Journal.open(other, CONFIG).close();
        Files.copy(
                other.resolve(FileName.CLOSED), folder.resolve(FileName.CLOSED), StandardCopyOption.REPLACE_EXISTING);
        assertThatThrownBy(() -> Journal.open(folder, CONFIG))
                .isInstanceOf(JournalCorruptException.class)
                .hasMessageContaining("belongs to another journal");
    }

    /** A folder of an earlier version, or one whose service was never closed, has none. */
    @Test
    void noNoteOfClosingIsNoDamage() throws Exception {
        write(CONFIG, 0);
        Files.delete(folder.resolve(FileName.CLOSED));
        Journal.open(folder, CONFIG).close();
        assertThat(verify()).endsWith("good\n");
    }

    /** A new file without slot 0 is what an earlier version has created, and says the same. */
    @ParameterizedTest
    @ValueSource(strings = {"garbage", "empty", "short", "zeros", "slot 1", "flipped"})
    void theNoteOfTrimmingIsWrittenAnewAndReportedWhereNothingIsMissing(String damage) throws Exception {
        write(CONFIG, 0);
        Path file = folder.resolve(FileName.TRIMMED);
        Files.write(file, damaged(Files.readAllBytes(file), damage));
        try (Journal journal = Journal.open(folder, CONFIG)) {
            assertThat(journal.recovery().renewed()).singleElement().asString().startsWith(FileName.TRIMMED + ": ");
        }
        assertThat(verify()).endsWith("good\n");
        try (Journal journal = Journal.open(folder, CONFIG)) {
            assertThat(journal.recovery().renewed()).isEmpty();
        }
    }

    private static byte[] damaged(byte[] image, String damage) {
        byte[] changed = image.clone();
        switch (damage) {
            case "garbage" -> Arrays.fill(changed, (byte) 'x');
            case "empty" -> changed = new byte[0];
            case "short" -> changed = Arrays.copyOf(image, 100);
            case "zeros" -> Arrays.fill(changed, (byte) 0);
            case "slot 0" -> changed = zeroed(image, 0);
            case "slot 1" -> changed = zeroed(image, SLOT);
            default -> changed[SLOT + 24] ^= 1;
        }
        return changed;
    }

    private void requireVerifyToNameIt() throws Exception {
        assertThat(verify()).contains("tailer-billing.position", "slot", "bad");
    }

    private String verify() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JournalTool tool =
                new JournalTool(folder, new Report(new PrintStream(out, true, StandardCharsets.UTF_8), false))) {
            tool.verify();
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    private static byte[] zeroed(byte[] image, int from) {
        byte[] changed = image.clone();
        Arrays.fill(changed, from, from + SLOT, (byte) 0);
        return changed;
    }

    @Test
    void ofWhatWasTrimmedIsNamedInTheRefusal() throws Exception {
        try (Journal journal = Journal.open(folder, CONFIG)) {
            long first = journal.firstSequence();
            for (int trims = 0; trims < 2; first = journal.firstSequence()) {
                Records.appendAndCommit(journal, "a record");
                trims += journal.trim(Long.MAX_VALUE) == first ? 0 : 1;
            }
        }
        flipNewest(folder.resolve("trimmed.position"));
        assertThatThrownBy(() -> Journal.open(folder, CONFIG))
                .isInstanceOf(JournalCorruptException.class)
                .hasMessageContaining("trimmed.position, but slot");
    }

    private Path writeAndFlip(String name) throws Exception {
        write(CONFIG, 3);
        Path file = folder.resolve(name);
        flipNewest(file);
        return file;
    }

    private Path write(JournalConfig config, int commits) throws Exception {
        try (Journal journal = Journal.open(folder, config)) {
            Records.appendAndCommit(journal, "one", "two", "three");
            try (Tailer tailer = journal.tailer("billing")) {
                for (int i = 0; i < commits; i++) {
                    tailer.poll((_, _, _) -> {}, 1);
                    tailer.commit();
                }
            }
        }
        return folder.resolve("tailer-billing.position");
    }

    private static void flipNewest(Path file) throws Exception {
        byte[] image = Files.readAllBytes(file);
        image[(image[16] > image[512 + 16] ? 0 : 512) + 24] ^= 1;
        Files.write(file, image);
    }
}
