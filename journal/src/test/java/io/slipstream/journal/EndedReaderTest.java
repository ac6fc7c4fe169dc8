package io.slipstream.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A reader whose handler closes it, and a snapshot that was removed before it was read. */
class EndedReaderTest {
    private static final JournalConfig CONFIG =
            JournalConfig.at(Durability.SYNC).withSegmentBytes(16 << 10).withPrepareInBackground(false);

    @TempDir
    Path folder;

    @Test
    void aSnapshotThatWasReplacedSaysSo() throws Exception {
        try (Journal journal = Journal.open(folder, CONFIG)) {
            Records.appendAndCommit(journal, "one", "two", "three", "four");
            take(journal, 1);
            Snapshot found = journal.snapshots().newest().orElseThrow();
            for (long sequence = 2; sequence <= 4; sequence++) {
                take(journal, sequence);
            }
            assertThatThrownBy(() -> found.read((_, _, _) -> {}))
                    .isInstanceOf(JournalException.class)
                    .hasMessageContaining("ask for the newest one again");
        }
    }

    private static void take(Journal journal, long sequence) throws Exception {
        try (SnapshotWriter writer = journal.snapshots().begin(sequence)) {
            MemorySegment frames = Records.frames(List.of("state"));
            writer.append(frames, 0, (int) frames.byteSize());
            writer.commit();
        }
    }

    @Test
    void aHandlerThatClosesItsReaderGetsNoFurtherRecord() throws Exception {
        try (Journal journal = Journal.open(folder, CONFIG)) {
            for (int i = 0; i < 200; i++) {
                Records.appendAndCommit(journal, "record " + i);
            }
            for (long from : new long[] {1, 150}) {
                JournalReader reader = journal.reader(from);
                int[] taken = {0};
                int count = reader.poll(
                        (_, _, _) -> {
                            taken[0]++;
                            if (taken[0] == 3) {
                                close(reader);
                            }
                        },
                        Integer.MAX_VALUE);
                assertThat(taken[0]).isEqualTo(3);
                assertThat(count).isEqualTo(3);
            }
        }
    }

    private static void close(JournalReader reader) {
        try {
            reader.close();
        } catch (JournalException e) {
            throw new AssertionError(e);
        }
    }
}
