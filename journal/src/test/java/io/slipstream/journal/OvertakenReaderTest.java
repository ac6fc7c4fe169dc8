package io.slipstream.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.record.JournalRecord;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A reader for which nothing is kept says that it was overtaken by a trim. It never hands out other records instead.
 */
class OvertakenReaderTest {
    private static final JournalConfig CONFIG =
            JournalConfig.at(Durability.SYNC).withSegmentBytes(16 << 10).withPrepareInBackground(false);

    @TempDir
    Path folder;

    private final List<Long> seen = new ArrayList<>();

    @BeforeEach
    void forget() {
        seen.clear();
    }

    @Test
    void thatHasReadNothingYetIsTold() throws Exception {
        try (Journal journal = journalOf(20);
                JournalReader reader = journal.reader(1)) {
            assertThat(journal.trim(15)).isGreaterThan(5);
            assertIsTold(reader);
        }
    }

    @Test
    void thatHasReadSomeIsTold() throws Exception {
        try (Journal journal = journalOf(20);
                JournalReader reader = journal.reader(1)) {
            poll(reader, 1);
            journal.trim(15);
            assertIsTold(reader);
        }
    }

    @Test
    void whoseHandlerHasThrownIsTold() throws Exception {
        try (Journal journal = journalOf(20);
                JournalReader reader = journal.reader(1)) {
            assertThatThrownBy(() -> reader.poll(
                            (_, _, _) -> {
                                throw new IllegalStateException("handler");
                            },
                            1))
                    .hasMessage("handler");
            journal.trim(15);
            assertIsTold(reader);
        }
    }

    @Test
    void neverPassesTheDurableSequence() throws Exception {
        try (Journal journal = journalOf(20);
                JournalReader reader = journal.reader(1)) {
            journal.trim(15);
            Records.append(journal, "accepted, and not durable");
            journal.flush();
            assertIsTold(reader);
            try (JournalReader next = journal.reader(journal.firstSequence())) {
                while (poll(next, 7) > 0) {
                    assertThat(seen.getLast()).isLessThanOrEqualTo(20);
                }
            }
            assertThat(seen).endsWith(19L, 20L).doesNotHaveDuplicates();
        }
    }

    private void assertIsTold(JournalReader reader) {
        int before = seen.size();
        assertThatThrownBy(() -> poll(reader, 100))
                .isExactlyInstanceOf(JournalException.class)
                .hasMessageContaining("was trimmed before it was read");
        assertThat(seen).hasSize(before);
    }

    private int poll(JournalReader reader, int most) throws JournalException {
        return reader.poll((memory, offset, _) -> seen.add(JournalRecord.sequence(memory, offset)), most);
    }

    private Journal journalOf(int records) throws JournalException {
        Journal journal = Journal.open(folder, CONFIG);
        for (int i = 1; i <= records; i++) {
            Records.appendAndCommit(journal, AppendingProcess.payload(i));
        }
        return journal;
    }
}
