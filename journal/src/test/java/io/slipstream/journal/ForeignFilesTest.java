package io.slipstream.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What others keep in the folder stays there. */
class ForeignFilesTest {
    private static final JournalConfig CONFIG =
            JournalConfig.at(Durability.SYNC).withSegmentBytes(16 << 10).withPrepareInBackground(false);

    @TempDir
    Path folder;

    @Test
    void openingRemovesNoTemporaryFileButItsOwn() throws Exception {
        List<String> foreign = List.of("report.tmp", "segment.tmp", "tailer.position.tmp", ".tmp");
        List<String> own = List.of(
                "segment-0000000000000009.journal.tmp",
                "segment-0000000000000009.index.tmp",
                "snapshot-0000000000000009.snapshot.tmp",
                "tailer-billing.position.tmp",
                "trimmed.position.tmp",
                "segment-0000000000000009-at-4096-epoch-3.cut.tmp",
                "segment-0000000000000009-at-4096-epoch-3.cut-2.tmp");
        for (String name : foreign) {
            Files.writeString(folder.resolve(name), "of somebody else");
        }
        for (String name : own) {
            Files.writeString(folder.resolve(name), "never finished");
        }
        try (Journal journal = Journal.open(folder, CONFIG)) {
            Records.appendAndCommit(journal, "one");
        }
        assertThat(foreign).allSatisfy(name -> assertThat(folder.resolve(name)).exists());
        assertThat(own).allSatisfy(name -> assertThat(folder.resolve(name)).doesNotExist());
    }
}
