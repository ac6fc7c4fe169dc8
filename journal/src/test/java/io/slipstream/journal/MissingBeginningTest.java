package io.slipstream.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalCorruptException;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.errors.JournalFailedException;
import io.slipstream.journal.format.FileName;
import io.slipstream.journal.storage.FileStorage;
import io.slipstream.journal.tool.JournalTool;
import io.slipstream.journal.tool.Report;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first segments of a journal may have been trimmed, or have got lost; only the former is accepted. */
class MissingBeginningTest {
    private static final JournalConfig CONFIG =
            JournalConfig.at(Durability.SYNC).withSegmentBytes(32 << 10).withPrepareInBackground(false);
    private static final int RECORDS = 60;
    private static final String REFUSED = "nothing says that the segments before it were trimmed";

    @TempDir
    Path folder;

    @BeforeEach
    void writeSomeSegments() throws Exception {
        try (Journal journal = Journal.open(folder, CONFIG)) {
            for (int i = 1; i <= RECORDS; i++) {
                Records.appendAndCommit(journal, "x".repeat(1000));
            }
        }
    }

    /** Trims a little; returns the number of the segment that is the first one then. */
    private long trim() throws JournalException {
        try (Journal journal = Journal.open(folder, CONFIG)) {
            long first = journal.trim(RECORDS / 2);
            assertThat(first).isBetween(2L, RECORDS / 2L);
            return first;
        }
    }

    private void deleteFirstSegment() throws IOException {
        try (FileStorage storage = FileStorage.open(folder)) {
            storage.delete(storage.list().stream()
                    .filter(name -> FileName.parse(name).isPresent())
                    .sorted()
                    .toList()
                    .getFirst());
        }
    }

    private String tool(ToolCall call) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JournalTool tool =
                new JournalTool(folder, new Report(new PrintStream(out, true, StandardCharsets.UTF_8), false))) {
            call.on(tool);
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    private interface ToolCall {
        void on(JournalTool tool) throws IOException;
    }

    private void assertRefused() {
        assertThatThrownBy(() -> Journal.open(folder, CONFIG))
                .isInstanceOf(JournalCorruptException.class)
                .hasMessageContaining(REFUSED);
    }

    @Test
    void isRefusedWhereNothingWasTrimmed() throws Exception {
        deleteFirstSegment();
        assertRefused();
        assertThat(tool(tool -> assertThat(tool.verify()).isFalse())).contains(REFUSED);
    }

    @Test
    void isAcceptedWhereItWasTrimmed() throws Exception {
        long first = trim();
        try (Journal journal = Journal.open(folder, CONFIG)) {
            assertThat(journal.firstSequence()).isEqualTo(first);
            assertThat(journal.nextSequence()).isEqualTo(RECORDS + 1);
        }
        assertThat(tool(JournalTool::verify)).endsWith("good\n");
    }

    @Test
    void isRefusedWhereMoreIsGoneThanWasTrimmed() throws Exception {
        trim();
        deleteFirstSegment();
        assertRefused();
    }

    @Test
    void isRefusedWithoutTheFileThatSaysWhatWasTrimmed() throws Exception {
        trim();
        Files.delete(folder.resolve(FileName.TRIMMED));
        assertRefused();
    }

    @Test
    void isRefusedWithADamagedFileAndTrimmedAnewWhereThatCosts() throws Exception {
        Files.write(folder.resolve(FileName.TRIMMED), new byte[1024]);
        assertThat(tool(tool -> assertThat(tool.verify()).isFalse())).contains("finding  file " + FileName.TRIMMED);
        trim();
        assertThat(tool(JournalTool::verify)).endsWith("good\n");
        Files.write(folder.resolve(FileName.TRIMMED), new byte[1024]);
        assertRefused();
    }

    @Test
    void isAcceptedByARepair() throws Exception {
        deleteFirstSegment();
        assertThat(tool(tool -> tool.repair(true))).startsWith("would  do begin  first ");
        assertRefused();
        assertThat(tool(tool -> tool.repair(false))).startsWith("repaired").contains("begins  first ");
        try (Journal journal = Journal.open(folder, CONFIG)) {
            assertThat(journal.firstSequence()).isGreaterThan(1);
            assertThat(journal.nextSequence()).isEqualTo(RECORDS + 1);
        }
        assertThat(tool(tool -> tool.repair(false))).startsWith("whole");
    }

    /** What was announced may be ahead of what was removed, but not behind it. */
    @Test
    void isAnnouncedBeforeAnythingIsRemoved() throws Exception {
        FaultyStorage storage = new FaultyStorage(FileStorage.open(folder));
        try (Journal journal = Journal.open(storage, CONFIG)) {
            storage.failOnce(FaultyStorage.Operation.WRITE, FileName.TRIMMED, "No space left on device");
            assertThatThrownBy(() -> journal.trim(RECORDS / 2))
                    .isInstanceOf(JournalException.class)
                    .hasMessageContaining("No space left on device")
                    .hasMessageContaining("Nothing was removed");
            assertThat(journal.failure()).isNull();
            storage.failOnce(FaultyStorage.Operation.FORCE, FileName.TRIMMED, "Input/output error");
            assertThatThrownBy(() -> journal.trim(RECORDS / 2))
                    .isInstanceOf(JournalFailedException.class)
                    .hasMessageContaining("Input/output error");
            assertThat(storage.list()).contains(FileName.of(1), FileName.of(2));
        }
    }
}
