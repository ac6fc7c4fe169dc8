package io.slipstream.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.config.WriteMode;
import io.slipstream.journal.tool.JournalTool;
import io.slipstream.journal.tool.Report;
import io.slipstream.journal.tool.Selection;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Everything that can be done with a journal can be done by an interrupted thread, which stays interrupted. */
class InterruptedThreadTest {
    @TempDir
    Path temp;

    @ParameterizedTest
    @EnumSource(
            value = WriteMode.class,
            names = {"BUFFERED", "DSYNC", "MAPPED"})
    void doesAllThatAnotherDoes(WriteMode mode) throws Exception {
        Path folder = temp.resolve("journal");
        JournalConfig config =
                JournalConfig.at(Durability.SYNC).withSegmentBytes(16 << 10).withWriteMode(mode);
        List<String> expected = new ArrayList<>();
        Thread.currentThread().interrupt();
        try {
            for (int life = 0; life < 2; life++) {
                try (Journal journal = Journal.open(folder, config)) {
                    write(journal, expected);
                }
            }
            look(folder);
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
    }

    private static void write(Journal journal, List<String> expected) throws Exception {
        try (Tailer tailer = journal.tailer("billing")) {
            for (int i = 0; i < 20; i++) {
                expected.add("record " + expected.size());
                Records.appendAndCommit(journal, expected.getLast());
            }
            journal.flush();
            assertThat(tailer.poll((memory, offset, length) -> {}, 5)).isEqualTo(5);
            tailer.commit();
        }
        long last = journal.nextSequence() - 1;
        try (SnapshotWriter snapshot = journal.snapshots().begin(last)) {
            MemorySegment frames = Records.frames(List.of("state"));
            snapshot.append(frames, 0, (int) frames.byteSize());
            snapshot.commit();
        }
        assertThat(journal.snapshots().newest()).isNotNull();
        long first = journal.trim(last);
        assertThat(journal.sequenceAt(Instant.EPOCH)).isEqualTo(first);
        assertThat(Records.read(journal, first)).isEqualTo(expected.subList((int) first - 1, expected.size()));
    }

    private void look(Path folder) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Report report = new Report(new PrintStream(out, true, StandardCharsets.UTF_8), false);
        try (JournalTool tool = new JournalTool(folder, report)) {
            assertThat(tool.verify()).as(out.toString(StandardCharsets.UTF_8)).isTrue();
            assertThat(tool.stat()).isTrue();
            assertThat(tool.dump(Selection.ALL)).isTrue();
            tool.index(true);
            assertThat(tool.repair(true)).isTrue();
            assertThat(tool.copy(temp.resolve("copy"), List.of())).isTrue();
        }
    }
}
