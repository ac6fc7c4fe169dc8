package io.slipstream.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a reader shows of the records that come next is what it hands out then. */
class ReaderPeekTest {
    private static final int RECORDS = 4_000;
    private static final JournalConfig CONFIG =
            JournalConfig.at(Durability.PROCESS).withSegmentBytes(64 << 10).withPrepareInBackground(false);

    @TempDir
    Path folder;

    @Test
    void showsWhatComesNextAndLeavesItThere() throws Exception {
        try (Journal journal = Journal.open(folder, CONFIG)) {
            fill(journal);
            Random random = new Random(4);
            for (long from : new long[] {1, 1_234, RECORDS}) {
                List<String> shown = new ArrayList<>();
                List<String> taken = new ArrayList<>();
                int ahead = 0;
                try (JournalReader reader = journal.reader(from)) {
                    int polled = 1;
                    while (polled > 0) {
                        shown.clear();
                        int most = random.nextInt(20);
                        long next = reader.nextSequence();
                        int count = reader.peek(
                                (memory, offset, length) -> shown.add(Records.payload(memory, offset, length)), most);
                        assertThat(count).isEqualTo(shown.size()).isBetween(0, most);
                        assertThat(reader.nextSequence()).isEqualTo(next);
                        ahead += count;
                        int had = taken.size();
                        polled = reader.poll(
                                (memory, offset, length) -> taken.add(Records.payload(memory, offset, length)),
                                Math.max(1, count));
                        assertThat(taken.subList(had, had + count)).isEqualTo(shown);
                    }
                }
                assertThat(taken).hasSize((int) (RECORDS - from + 1)).first().isEqualTo("record " + from);
                if (from < RECORDS / 2) {
                    assertThat(ahead).as("shown from %s on", from).isGreaterThan(RECORDS / 2);
                }
            }
        }
    }

    @Test
    void whatIsThrownAtARecordThatIsShownChangesNothing() throws Exception {
        try (Journal journal = Journal.open(folder, CONFIG)) {
            fill(journal);
            JournalReader reader = journal.reader(1);
            assertThat(reader.poll((_, _, _) -> {}, 3)).isEqualTo(3);
            assertThatThrownBy(() -> reader.peek(
                            (_, _, _) -> {
                                throw new IllegalStateException("no");
                            },
                            5))
                    .hasMessage("no");
            List<String> taken = new ArrayList<>();
            reader.poll((memory, offset, length) -> taken.add(Records.payload(memory, offset, length)), 2);
            assertThat(taken).containsExactly("record 4", "record 5");
            reader.close();
            assertThatThrownBy(() -> reader.peek((_, _, _) -> {}, 1)).hasMessage("the reader is closed");
        }
    }

    private static void fill(Journal journal) throws JournalException {
        Random random = new Random(3);
        for (int record = 1; record <= RECORDS; ) {
            for (int batch = random.nextInt(40); batch >= 0 && record <= RECORDS; batch--) {
                Records.append(journal, "record " + record++);
            }
            journal.commit();
        }
    }
}
