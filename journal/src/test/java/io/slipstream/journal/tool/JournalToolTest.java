package io.slipstream.journal.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.Journal;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.format.FileName;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.journal.record.PayloadFormat;
import io.slipstream.journal.storage.FileStorage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalToolTest {
    private static final String SEGMENT = "segment-0000000000000001.journal";

    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @Test
    void dumpsTheRecordsThatWereAskedForAlsoWhileTheJournalIsOpen() throws Exception {
        try (Journal journal = open()) {
            append(journal, 5);
            assertThat(tool(false).dump(new Selection(2, 3, Selection.ANY_TYPE, false)))
                    .isTrue();
            assertThat(text().lines().filter(line -> line.startsWith("record")))
                    .hasSize(2)
                    .allMatch(line -> line.contains("type 2") || line.contains("type 3"));
            assertThat(text()).contains("02 02 02 02");
            assertThat(tool(true).dump(new Selection(1, Long.MAX_VALUE, 4, false)))
                    .isTrue();
            assertThat(text())
                    .startsWith("{\"kind\":\"record\",\"sequence\":4,")
                    .hasLineCount(1);
        }
    }

    @Test
    void showsPayloadsAsTheirFormatDoes() throws Exception {
        try (Journal journal = open()) {
            append(journal, 2);
        }
        PayloadFormat format = new PayloadFormat() {
            @Override
            public boolean knows(short type, byte version) {
                return true;
            }

            @Override
            public @Nullable String toText(MemorySegment memory, long offset, int length) {
                return JournalRecord.type(memory, offset) != 2
                        ? null
                        : "seen " + memory.get(ValueLayout.JAVA_BYTE, offset + JournalRecord.HEADER_BYTES);
            }
        };
        new JournalTool(FileStorage.openExisting(folder), report(false), List.of(format)).dump(Selection.ALL);
        assertThat(text()).contains("    seen 2\n").contains("    01 01").contains("state closed");
        new JournalTool(FileStorage.openExisting(folder), report(true), List.of(format)).dump(Selection.ALL);
        assertThat(text())
                .containsPattern("\"sequence\":1,.*\"payload\":\"(01)+\"}\n")
                .containsPattern("\"sequence\":2,.*\"payload\":\"(02)+\",\"text\":\"seen 2\"}\n");
    }

    @Test
    void tellsNoTimesOfAJournalWithoutRecords() throws Exception {
        open().close();
        assertThat(tool(false).stat()).isTrue();
        assertThat(text()).contains("records 0").doesNotContain("1970", "from");
    }

    @Test
    void verifiesAndRepairsAndChangesNothingBeforeItIsTold() throws Exception {
        try (Journal journal = open()) {
            append(journal, 3);
        }
        assertThat(tool(false).verify()).isTrue();
        assertThat(text()).endsWith("good\n");
        byte[] image = Files.readAllBytes(folder.resolve(SEGMENT));
        int damaged = 3 * 4096 + 48 + JournalRecord.HEADER_BYTES;
        image[damaged] ^= 1;
        Files.write(folder.resolve(SEGMENT), image);

        assertThat(tool(false).verify()).isFalse();
        assertThat(text())
                .contains("Record 2 had been durable", "offset " + (3 * 4096 + 48))
                .endsWith("bad\n");
        assertThat(tool(false).dump(Selection.ALL)).isFalse();
        assertThat(text()).contains("damage  file " + SEGMENT);
        assertThat(tool(false).repair(true)).isTrue();
        assertThat(text()).startsWith("would  do cut");
        assertThat(Files.readAllBytes(folder.resolve(SEGMENT))).isEqualTo(image);

        assertThat(tool(false).repair(false)).isTrue();
        assertThat(text()).startsWith("repaired  records 1").contains("cut ");
        assertThat(tool(false).repair(false)).isTrue();
        assertThat(text()).startsWith("whole  records 1");
        try (Journal journal = open()) {
            assertThat(journal.nextSequence()).isEqualTo(2);
        }
    }

    @Test
    void countsWhatIsThereAndListsIndexes() throws Exception {
        try (Journal journal = open()) {
            append(journal, 4);
            journal.tailer("billing").close();
        }
        tool(false).stat();
        assertThat(text())
                .contains(
                        "records 4",
                        "last 4",
                        "type 3  records 1  payload-bytes 100",
                        "tailer  name billing  position 0  behind 4");
        tool(false).index(true);
        assertThat(text()).contains("index not yet");
        assertThat(tool(false).lastSequences(2)).isEqualTo(3);
        assertThat(tool(false).snapshots()).isTrue();
        assertThat(text()).isEqualTo("snapshots  count 0\n");
    }

    @Test
    void findsDamageInIndexesAndPositionsAndWritesIndexesAnew() throws Exception {
        try (Journal journal = open()) {
            append(journal, 40);
            journal.tailer("billing").close();
            journal.tailer("audit").close();
        }
        Path index = folder.resolve(FileName.index(1));
        Path position = folder.resolve(FileName.tailer("billing"));
        byte[] image = Files.readAllBytes(index);
        image[90] ^= 1;
        Files.write(index, image);
        Files.createFile(folder.resolve(FileName.index(1) + FileName.UNFINISHED));
        Files.write(position, new byte[1024]);

        assertThat(tool(false).verify()).isFalse();
        assertThat(text())
                .contains(
                        "finding  file " + FileName.index(1),
                        "index --build",
                        "finding  file tailer-billing.position",
                        "remove the file to begin anew")
                .endsWith("bad\n");
        assertThat(tool(false).stat()).isFalse();
        assertThat(text()).contains("tailer  name billing", "tailer  name audit  position 0", "snapshots  count 0");
        tool(false).index(false);
        assertThat(text()).contains("index damaged");
        tool(false).index(true);
        assertThat(text()).contains("index 1 entries").doesNotContain("damaged");
        Files.delete(position);
        assertThat(tool(false).verify()).isTrue();
    }

    @Test
    void findsThatASegmentIsShorterThanItWasMade() throws Exception {
        try (Journal journal = open()) {
            append(journal, 3);
        }
        Path segment = folder.resolve(SEGMENT);
        byte[] image = Files.readAllBytes(segment);
        int size = 3 * 4096;
        Files.write(segment, Arrays.copyOf(image, size));

        assertThat(tool(false).verify()).isFalse();
        assertThat(text())
                .contains(
                        "records 1",
                        "finding  file " + SEGMENT,
                        "has " + size + " bytes and was made with " + image.length)
                .endsWith("bad\n");
        assertThatThrownBy(this::open)
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("so says " + FileName.CLOSED);
        Files.delete(folder.resolve(FileName.CLOSED));
        try (Journal journal = open()) {
            assertThat(journal.recovery().missingBytes()).isEqualTo(image.length - size);
        }
        assertThat(tool(false).verify()).isTrue();
    }

    @Test
    void saysWhenThereIsNoJournal() throws IOException {
        assertThatThrownBy(() -> tool(false))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("there is no journal in " + folder);
        Path file = Files.writeString(folder.resolve("notes"), "text");
        assertThatThrownBy(() -> new JournalTool(file, report(false)))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("is not a folder");
        assertThat(folder).isDirectoryNotContaining("glob:**journal.lock");
    }

    @Test
    void passesOverNeitherDamageNorASegmentThatIsMissing() throws Exception {
        try (Journal journal = open()) {
            append(journal, 40);
        }
        byte[] image = Files.readAllBytes(folder.resolve(SEGMENT));
        image[3 * 4096 + 48 + JournalRecord.HEADER_BYTES] ^= 1;
        Files.write(folder.resolve(SEGMENT), image);
        assertThat(tool(false).stat()).isFalse();
        assertThat(text()).startsWith("damage  file " + SEGMENT).contains("records 1  ");
        assertThat(tool(false).follow(Selection.ALL)).isFalse();

        Files.delete(folder.resolve(FileName.of(2)));
        image[3 * 4096 + 48 + JournalRecord.HEADER_BYTES] ^= 1;
        Files.write(folder.resolve(SEGMENT), image);
        assertThatThrownBy(() -> tool(false).dump(Selection.ALL))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining(FileName.of(2) + ": this file is missing");
    }

    private JournalTool tool(boolean json) throws IOException {
        return new JournalTool(folder, report(json));
    }

    private Report report(boolean json) {
        out.reset();
        return new Report(new PrintStream(out, true, StandardCharsets.UTF_8), json);
    }

    private String text() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private Journal open() throws JournalException {
        return Journal.open(
                folder,
                JournalConfig.at(Durability.SYNC).withSegmentBytes(64 << 10).withPrepareInBackground(false));
    }

    /** Appends records of the types 1, 2, 3, ..., each a batch of its own. */
    private static void append(Journal journal, int count) throws JournalException {
        int length = JournalRecord.HEADER_BYTES + 100;
        MemorySegment memory = Arena.ofAuto().allocate(Frame.align(length), Frame.ALIGNMENT);
        for (int i = 1; i <= count; i++) {
            memory.fill((byte) i);
            JournalRecord.header(memory, 0, length, (short) i, (byte) 1, (byte) 0);
            journal.append(memory, 0, Frame.align(length));
            journal.commit();
        }
    }
}
