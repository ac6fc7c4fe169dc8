package io.slipstream.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalCorruptException;
import io.slipstream.journal.errors.JournalException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A block, a position or a skip of another journal with the same layout is none of this one. */
class ForeignFramesTest {
    private static final String SEGMENT = "segment-0000000000000001.journal";
    private static final String POSITION = "tailer-billing.position";
    private static final JournalConfig CONFIG = JournalConfig.at(Durability.SYNC)
            .withSegmentBytes(64 << 10)
            .withPrepareInBackground(false)
            .withClock(() -> java.time.Instant.ofEpochMilli(1));

    @TempDir
    Path folder;

    @Test
    void areDamageAmongThoseOfTheJournal() throws Exception {
        write("ours");
        write("other");
        byte[] ours = Files.readAllBytes(folder.resolve("ours").resolve(SEGMENT));
        byte[] other = Files.readAllBytes(folder.resolve("other").resolve(SEGMENT));
        System.arraycopy(other, 4 * 4096, ours, 4 * 4096, 4096);
        Files.write(folder.resolve("ours").resolve(SEGMENT), ours);
        assertThatThrownBy(() -> Journal.open(folder.resolve("ours"), CONFIG))
                .isInstanceOf(JournalCorruptException.class)
                .hasMessageContaining("offset " + 4 * 4096);
    }

    @Test
    void areNotTakenForPositions() throws Exception {
        write("ours");
        write("other");
        Files.copy(
                folder.resolve("other").resolve(POSITION),
                folder.resolve("ours").resolve(POSITION),
                StandardCopyOption.REPLACE_EXISTING);
        try (Journal journal = Journal.open(folder.resolve("ours"), CONFIG)) {
            assertThat(journal.recovery().ahead()).isEmpty();
            assertThatThrownBy(() -> journal.tailer("billing"))
                    .isInstanceOf(JournalException.class)
                    .hasMessageContaining("belongs to another journal");
        }
    }

    private void write(String name) throws JournalException {
        try (Journal journal = Journal.open(folder.resolve(name), CONFIG)) {
            for (int i = 0; i < 6; i++) {
                Records.appendAndCommit(journal, name + i);
            }
            try (Tailer tailer = journal.tailer("billing")) {
                tailer.poll((_, _, _) -> {}, 3);
                tailer.commit();
            }
        }
    }
}
