package io.slipstream.journal.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.Journal;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.config.RecoveryPolicy;
import io.slipstream.journal.errors.JournalCorruptException;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.format.FileName;
import io.slipstream.journal.format.SegmentHeader;
import io.slipstream.journal.record.JournalRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What opening refuses, a repair makes usable again: everything before the first damage is there. */
class RepairTest {
    private static final JournalConfig CONFIG =
            JournalConfig.at(Durability.SYNC).withSegmentBytes(32 << 10);
    private static final int LENGTH = JournalRecord.HEADER_BYTES + 1000;
    private static final int LAST = 40;

    @TempDir
    Path temp;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private Path folder;

    /** A journal of several segments, each with a few records, in one of the states that opening refuses. */
    enum Damage {
        BYTES_BEHIND_THE_END_OF_A_FULL_SEGMENT("behind its end", LAST),
        BYTES_BEHIND_THE_ENDS_OF_TWO_SEGMENTS("behind its end", LAST),
        A_DURABLE_RECORD("had been durable", -1),
        THE_HEADER_OF_A_LATER_SEGMENT("damaged header", -1),
        A_MISSING_SEGMENT("has no file", -1),
        A_SEGMENT_OF_ANOTHER_JOURNAL("belongs to another journal", -1);

        private final String refusal;
        private final int left;

        Damage(String refusal, int left) {
            this.refusal = refusal;
            this.left = left;
        }
    }

    @BeforeEach
    void chooseFolder() {
        folder = temp.resolve("journal");
    }

    @ParameterizedTest
    @EnumSource(Damage.class)
    void canBeOpenedAfterARepairWhateverHasBeenRefused(Damage damage) throws Exception {
        write(folder);
        inflict(damage);
        assertThatThrownBy(() -> Journal.open(folder, CONFIG))
                .isInstanceOf(JournalCorruptException.class)
                .hasMessageContaining(damage.refusal);
        Map<String, String> before = contents();
        repair(true);
        assertThat(text()).contains(damage.left > 0 ? "would  do wipe" : "would  do cut");
        assertThat(contents()).as("a dry run changes nothing").isEqualTo(before);
        repair(false);
        assertThat(text()).startsWith("repaired");
        repair(false);
        assertThat(text()).startsWith("whole");
        try (Journal journal = Journal.open(folder, CONFIG.withPolicy(RecoveryPolicy.STRICT))) {
            long last = journal.nextSequence() - 1;
            assertThat(last).isBetween(1L, (long) LAST);
            if (damage.left > 0) {
                assertThat(last).isEqualTo(damage.left);
            }
            append(journal, 5);
            List<Long> found = new ArrayList<>();
            journal.read(1, (memory, offset, length) -> found.add(JournalRecord.sequence(memory, offset)));
            assertThat(found).hasSize((int) last + 5);
        }
    }

    @Test
    void keepsTheBytesThatItWipes() throws Exception {
        write(folder);
        inflict(Damage.BYTES_BEHIND_THE_ENDS_OF_TWO_SEGMENTS);
        repair(true);
        assertThat(text()).contains("would  do wipe  file " + FileName.of(1), "would  do wipe  file " + FileName.of(2));
        repair(false);
        assertThat(text().lines().filter(line -> line.startsWith("wiped")))
                .hasSize(2)
                .allMatch(line -> line.contains(".cut"));
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> kept =
                    files.filter(file -> file.toString().endsWith(".cut")).toList();
            assertThat(kept).hasSize(2);
            for (Path file : kept) {
                byte[] content = Files.readAllBytes(file);
                assertThat(content[content.length - 1]).isEqualTo((byte) 0x55);
            }
        }
    }

    /** Where the journal begins is not known then, nor whether the file is one of its own. */
    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 64, 4096})
    void doesNotTouchAFirstSegmentWithoutAHeader(int left) throws Exception {
        write(folder);
        byte[] whole = Files.readAllBytes(segment(1));
        byte[] damaged = whole.clone();
        if (left < 0) {
            damaged[20] ^= 1;
        } else if (left < SegmentHeader.BYTES) {
            damaged = Arrays.copyOf(whole, left);
        } else {
            Arrays.fill(damaged, 0, SegmentHeader.BYTES, (byte) 0);
        }
        Files.write(segment(1), damaged);
        assertThatThrownBy(() -> Journal.open(folder, CONFIG)).hasMessageContaining("does not begin with the header");
        assertThatThrownBy(() -> repair(false))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("does not begin with the header");
        assertThat(verify()).isFalse();
        assertThat(text()).contains("does not begin with the header").endsWith("bad\n");
        Files.write(segment(1), whole);
        assertThat(verify()).isTrue();
        assertThat(text()).endsWith("good\n");
        Journal.open(folder, CONFIG).close();
    }

    @Test
    void saysThatAJournalIsEmptyThatWasOnlyBeingCreated() throws Exception {
        Files.createDirectory(folder);
        Files.write(segment(1), new byte[CONFIG.segmentBytes()]);
        assertThat(verify()).isTrue();
        assertThat(text()).endsWith("empty\n");
    }

    private void inflict(Damage damage) throws Exception {
        switch (damage) {
            case BYTES_BEHIND_THE_END_OF_A_FULL_SEGMENT -> change(1, image -> image[image.length - 10] = 0x55);
            case BYTES_BEHIND_THE_ENDS_OF_TWO_SEGMENTS -> {
                change(1, image -> image[image.length - 10] = 0x55);
                change(2, image -> image[image.length - 4000] = 0x55);
            }
            case A_DURABLE_RECORD -> change(2, image -> image[2 * 4096 + 300] ^= 1);
            case THE_HEADER_OF_A_LATER_SEGMENT -> change(3, image -> image[40] ^= 1);
            case A_MISSING_SEGMENT -> Files.delete(segment(2));
            case A_SEGMENT_OF_ANOTHER_JOURNAL -> {
                Path other = temp.resolve("other");
                write(other);
                Files.copy(other.resolve(FileName.of(2)), segment(2), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    /** Changes the bytes of a file. */
    private interface Change {
        void apply(byte[] image);
    }

    private void change(int number, Change change) throws IOException {
        byte[] image = Files.readAllBytes(segment(number));
        change.apply(image);
        Files.write(segment(number), image);
    }

    private Path segment(int number) {
        return folder.resolve(FileName.of(number));
    }

    private Map<String, String> contents() throws IOException {
        Map<String, String> contents = new TreeMap<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                contents.put(file.getFileName().toString(), Files.readString(file, StandardCharsets.ISO_8859_1));
            }
        }
        return contents;
    }

    private void repair(boolean dryRun) throws IOException {
        out.reset();
        try (JournalTool tool =
                new JournalTool(folder, new Report(new PrintStream(out, true, StandardCharsets.UTF_8), false))) {
            tool.repair(dryRun);
        }
    }

    private boolean verify() throws IOException {
        out.reset();
        try (JournalTool tool =
                new JournalTool(folder, new Report(new PrintStream(out, true, StandardCharsets.UTF_8), false))) {
            return tool.verify();
        }
    }

    private String text() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private static void write(Path folder) throws JournalException {
        try (Journal journal = Journal.open(folder, CONFIG)) {
            append(journal, LAST);
        }
    }

    private static void append(Journal journal, int count) throws JournalException {
        MemorySegment memory = Arena.ofAuto().allocate(Frame.align(LENGTH), Frame.ALIGNMENT);
        for (int i = 0; i < count; i++) {
            memory.fill((byte) i);
            JournalRecord.header(memory, 0, LENGTH, (short) 1, (byte) 1, (byte) 0);
            journal.append(memory, 0, Frame.align(LENGTH));
            journal.commit();
        }
    }
}
