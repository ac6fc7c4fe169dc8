package io.slipstream.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.config.WriteMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** With blocks of 512 bytes a small commit takes up an eighth of the space. */
class SmallBlocksTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(
            value = WriteMode.class,
            names = {"BUFFERED", "DSYNC", "MAPPED"})
    void takeLittleSpaceAndAreReadWhateverTheBlocksAreLater(WriteMode mode) throws Exception {
        List<String> payloads = new ArrayList<>();
        for (int blockBytes : new int[] {512, 4096, 512}) {
            JournalConfig config = JournalConfig.at(Durability.SYNC)
                    .withSegmentBytes(32 << 10)
                    .withWriteMode(mode)
                    .withPrepareInBackground(false)
                    .withBlockBytes(blockBytes);
            try (Journal journal = Journal.open(folder, config)) {
                for (int i = 0; i < 20; i++) {
                    String payload = "small " + payloads.size();
                    Records.appendAndCommit(journal, payload);
                    payloads.add(payload);
                }
                assertThat(Records.read(journal, 1)).isEqualTo(payloads);
            }
            if (payloads.size() == 20) {
                assertThat(folder.resolve("segment-0000000000000001.index")).doesNotExist();
            }
        }
        try (Journal journal =
                Journal.open(folder, JournalConfig.at(Durability.SYNC).withSegmentBytes(32 << 10))) {
            assertThat(Records.read(journal, 1)).isEqualTo(payloads);
        }
    }
}
