package io.slipstream.journal.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.Journal;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.config.RecoveryPolicy;
import io.slipstream.journal.errors.JournalCorruptException;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.journal.storage.FileStorage;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Each row of the table is brought about with a real journal of three batches, and decided as it says. */
class DecisionTableTest {
    static final List<Decision.Row> ROWS = Decision.TABLE;

    private static final String SEGMENT = "segment-0000000000000001.journal";
    private static final int BLOCK = 4096;
    private static final int LENGTH = 1500;

    @TempDir
    Path temp;

    @ParameterizedTest
    @FieldSource("ROWS")
    void decidesAsTheTableSays(Decision.Row row) throws Exception {
        byte[] image = imageFor(row.stop(), row.behind());
        Path folder = Files.createDirectory(temp.resolve("journal"));
        Files.write(folder.resolve(SEGMENT), image);
        FileStorage storage = FileStorage.open(folder);
        Findings findings = new Recovery(storage, config(), row.policy()).examine();
        assertThat(findings.decision()).isEqualTo(row.decision());
        assertThat(Files.readAllBytes(folder.resolve(SEGMENT)))
                .as("looking changes nothing")
                .isEqualTo(image);

        Recovery recovery = new Recovery(storage, config(), row.policy());
        switch (row.decision()) {
            case CONTINUE -> assertThat(recovery.run().findings().cut()).isNull();
            case CUT -> {
                assertThat(recovery.run().findings().cut()).isNotNull();
                assertThat(new Recovery(storage, config(), RecoveryPolicy.STRICT)
                                .examine()
                                .decision())
                        .isEqualTo(Decision.CONTINUE);
            }
            case REFUSE_TORN, REFUSE_DAMAGED, REFUSE_CORRUPT -> {
                assertThatThrownBy(recovery::run)
                        .isInstanceOf(JournalCorruptException.class)
                        .hasMessageContainingAll(SEGMENT, "offset " + findings.offset(), "to do:");
                assertThat(Files.readAllBytes(folder.resolve(SEGMENT))).isEqualTo(image);
            }
        }
    }

    @Test
    void hasARowForEachCaseThatCanOccurAndNoRowTwice() {
        Set<String> cases = new HashSet<>();
        for (Decision.Row row : ROWS) {
            assertThat(cases.add(row.stop() + " " + row.behind() + " " + row.policy()))
                    .isTrue();
        }
        assertThat(cases).hasSize(7 * RecoveryPolicy.values().length);
        assertThatThrownBy(() -> Decision.of(Decision.Stop.TORN, Decision.Behind.NOTHING, RecoveryPolicy.TAIL))
                .isInstanceOf(IllegalStateException.class);
    }

    /** The batches begin with the blocks 2, 3 and 4; each is a mark and a record of 1500 bytes. */
    private byte[] imageFor(Decision.Stop stop, Decision.Behind behind) throws IOException {
        byte[] image = image();
        int batch = behind == Decision.Behind.EVIDENCE ? 3 : 4;
        int record = batch * BLOCK + 48;
        switch (stop) {
            case END -> {
                if (behind == Decision.Behind.BYTES) {
                    image[6 * BLOCK + 100] = 1;
                } else if (behind == Decision.Behind.EVIDENCE) {
                    Arrays.fill(image, batch * BLOCK, (batch + 1) * BLOCK, (byte) 0);
                }
            }
            case TORN -> Arrays.fill(image, record - 48 + 512, record - 48 + 1024, (byte) 0);
            case DAMAGED -> image[record + 200] ^= 1;
        }
        return image;
    }

    private byte[] image() throws IOException {
        Path live = temp.resolve("live");
        try (Journal journal = Journal.open(live, config())) {
            MemorySegment memory = Arena.ofAuto().allocate(Frame.align(LENGTH), Frame.ALIGNMENT);
            for (int i = 0; i < 3; i++) {
                memory.fill((byte) (i + 1));
                JournalRecord.header(memory, 0, LENGTH, (short) 1, (byte) 1, (byte) 0);
                journal.append(memory, 0, Frame.align(LENGTH));
                journal.commit();
            }
            return Files.readAllBytes(live.resolve(SEGMENT));
        }
    }

    private static JournalConfig config() {
        return JournalConfig.at(Durability.SYNC).withSegmentBytes(64 << 10).withPrepareInBackground(false);
    }
}
