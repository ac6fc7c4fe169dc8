package io.slipstream.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalCorruptException;
import io.slipstream.journal.tool.JournalTool;
import io.slipstream.journal.tool.Report;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A damaged slot of a position is reported by name. It is not passed over in silence, and not overwritten. */
class PositionDamageTest {
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

    @Test
    void ofWhatWasTrimmedIsNamedInTheRefusal() throws Exception {
        try (Journal journal = Journal.open(folder, CONFIG)) {
            while (journal.trim(Long.MAX_VALUE) == 1) {
                Records.appendAndCommit(journal, "a record");
            }
        }
        flipNewest(folder.resolve("trimmed.position"));
        assertThatThrownBy(() -> Journal.open(folder, CONFIG))
                .isInstanceOf(JournalCorruptException.class)
                .hasMessageContaining("trimmed.position, but slot");
    }

    private Path writeAndFlip(String name) throws Exception {
        try (Journal journal = Journal.open(folder, CONFIG)) {
            Records.appendAndCommit(journal, "one", "two", "three");
            try (Tailer tailer = journal.tailer("billing")) {
                for (int i = 0; i < 3; i++) {
                    tailer.poll((_, _, _) -> {}, 1);
                    tailer.commit();
                }
            }
        }
        Path file = folder.resolve(name);
        flipNewest(file);
        return file;
    }

    private static void flipNewest(Path file) throws Exception {
        byte[] image = Files.readAllBytes(file);
        image[(image[16] > image[512 + 16] ? 0 : 512) + 24] ^= 1;
        Files.write(file, image);
    }
}
