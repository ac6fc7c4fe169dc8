package io.slipstream.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalCorruptException;
import io.slipstream.journal.format.FileName;
import io.slipstream.journal.tool.JournalTool;
import io.slipstream.journal.tool.Report;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A snapshot or a position that was written after records were forced proves that they were: without them, opening
 * refuses.
 */
class ProofOfDurableRecordsTest {
    private static final String SEGMENT = "segment-0000000000000001.journal";

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"snapshot-0000000000000015.snapshot", "tailer-billing.position"})
    void refusesAJournalThatEndsBeforeIt(String proof) throws Exception {
        write(Durability.SYNC, proof.startsWith("snapshot"));
        zeroFromBlock(12);
        byte[] damaged = Files.readAllBytes(folder.resolve(SEGMENT));
        assertThatThrownBy(() -> Journal.open(folder, config(Durability.SYNC)))
                .isInstanceOf(JournalCorruptException.class)
                .hasMessageContaining("so says " + proof)
                .hasMessageContaining("Record 11 had been durable");
        assertThat(verify()).contains("so says " + proof).endsWith("bad\n");
        assertThat(Files.readAllBytes(folder.resolve(SEGMENT))).isEqualTo(damaged);
        assertThat(folder.resolve(proof)).exists();
        repair();
        try (Journal journal = Journal.open(folder, config(Durability.SYNC))) {
            assertThat(journal.recovery().lastSequence()).isEqualTo(10);
        }
    }

    /** Nothing else says that there were more records: no snapshot, no tailer, and no segment behind. */
    @ParameterizedTest
    @EnumSource(Durability.class)
    void refusesAJournalThatHasLostItsLastSegmentAfterItWasClosed(Durability durability) throws Exception {
        long last;
        try (Journal journal = Journal.open(folder, config(durability).withSegmentBytes(16 << 10))) {
            for (int i = 1; i <= 100; i++) {
                Records.appendAndCommit(journal, AppendingProcess.payload(i));
            }
            last = journal.catalog().segments().getLast().number();
        }
        List<Path> lost = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                OptionalLong number = FileName.parse(file.getFileName().toString());
                if (number.isPresent() && number.getAsLong() >= last) {
                    lost.add(file);
                    Files.delete(file);
                }
            }
        }
        assertThat(lost).isNotEmpty();
        assertThatThrownBy(() -> Journal.open(folder, config(durability).withSegmentBytes(16 << 10)))
                .isInstanceOf(JournalCorruptException.class)
                .hasMessageContaining("so says " + FileName.CLOSED);
        assertThat(verify()).contains("so says " + FileName.CLOSED).endsWith("bad\n");
        repair();
        try (Journal journal = Journal.open(folder, config(durability).withSegmentBytes(16 << 10))) {
            assertThat(journal.recovery().lastSequence()).isBetween(1L, 99L);
            Records.appendAndCommit(journal, "goes on");
        }
        try (Journal journal = Journal.open(folder, config(durability).withSegmentBytes(16 << 10))) {
            assertThat(journal.recovery().clean()).isTrue();
        }
    }

    /** The position of a tailer says only at SYNC that the records before it were forced. */
    @Test
    void isNoPositionThatWasWrittenBelowSync() throws Exception {
        write(Durability.PROCESS, false);
        byte[] image = Files.readAllBytes(folder.resolve(SEGMENT));
        Arrays.fill(image, 4096 + 700, image.length, (byte) 0);
        Files.write(folder.resolve(SEGMENT), image);
        Files.delete(folder.resolve(FileName.CLOSED));
        try (Journal journal = Journal.open(folder, config(Durability.PROCESS))) {
            assertThat(journal.recovery().ahead()).containsExactly("tailer-billing.position");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"snapshot-", "tailer-", "trimmed"})
    void refusesAFolderWithoutSegments(String left) throws Exception {
        write(Durability.SYNC, true);
        try (Journal journal = Journal.open(folder, config(Durability.SYNC))) {
            for (int i = 21; i <= 100; i++) {
                Records.appendAndCommit(journal, AppendingProcess.payload(i));
            }
            snapshot(journal, 99);
            snapshot(journal, 100);
            try (Tailer tailer = journal.tailer("billing")) {
                tailer.poll((_, _, _) -> {}, 80);
                tailer.commit();
            }
            assertThat(journal.trim(100)).isGreaterThan(1);
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                String name = file.getFileName().toString();
                if (!name.equals("journal.lock") && !name.startsWith(left)) {
                    Files.delete(file);
                }
            }
        }
        assertThatThrownBy(() -> Journal.open(folder, config(Durability.SYNC)))
                .isInstanceOf(JournalCorruptException.class)
                .hasMessageContaining("has lost all its segments: " + left);
    }

    private void write(Durability durability, boolean snapshots) throws Exception {
        try (Journal journal = Journal.open(folder, config(durability))) {
            for (int i = 1; i <= 20; i++) {
                Records.appendAndCommit(journal, AppendingProcess.payload(i));
                if (snapshots && (i == 15 || i == 20)) {
                    snapshot(journal, i);
                }
            }
            try (Tailer tailer = journal.tailer("billing")) {
                tailer.poll((_, _, _) -> {}, 18);
                tailer.commit();
            }
        }
    }

    private static void snapshot(Journal journal, long sequence) throws Exception {
        try (SnapshotWriter writer = journal.snapshots().begin(sequence)) {
            MemorySegment state = Records.frames(List.of("state"));
            writer.append(state, 0, (int) state.byteSize());
            writer.commit();
        }
    }

    /** Each record has a block of its own, behind that of the header and that of the first mark. */
    private void zeroFromBlock(int block) throws Exception {
        byte[] image = Files.readAllBytes(folder.resolve(SEGMENT));
        Arrays.fill(image, block * 4096, image.length, (byte) 0);
        Files.write(folder.resolve(SEGMENT), image);
    }

    private String verify() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (PrintStream print = new PrintStream(out, false, StandardCharsets.UTF_8);
                JournalTool tool = new JournalTool(folder, new Report(print, false))) {
            tool.verify();
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    private void repair() throws Exception {
        try (JournalTool tool =
                new JournalTool(folder, new Report(new PrintStream(new ByteArrayOutputStream()), false))) {
            tool.repair(false);
        }
    }

    private static JournalConfig config(Durability durability) {
        return JournalConfig.at(durability).withSegmentBytes(128 << 10).withPrepareInBackground(false);
    }
}
