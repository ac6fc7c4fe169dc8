package io.slipstream.replica.primary;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.Journal;
import io.slipstream.journal.JournalReader;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.record.JournalRecord;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BatchTest {
    @TempDir
    Path folder;

    @Test
    void takesNoMoreThanItsBoundHoweverLongTheRecordsAre() throws Exception {
        try (Journal journal = journal(3_000_000, 12);
                JournalReader reader = journal.reader(1)) {
            Batch batch = new Batch();
            int records = 0;
            for (int count = batch.read(reader, Batch.TARGET_BYTES);
                    count > 0;
                    count = batch.read(reader, Batch.TARGET_BYTES)) {
                assertThat(batch.size()).isLessThanOrEqualTo(Batch.MOST_BYTES);
                records += count;
            }
            assertThat(records).isEqualTo(12);
        }
    }

    @Test
    void takesARecordThatIsLongerThanItsBoundAlone() throws Exception {
        try (Journal journal = journal(Batch.MOST_BYTES + 10, 2);
                JournalReader reader = journal.reader(1)) {
            Batch batch = new Batch();
            assertThat(batch.read(reader, 1)).isEqualTo(1);
            assertThat(batch.read(reader, 1)).isEqualTo(1);
            assertThat(batch.read(reader, 1)).isZero();
        }
    }

    private Journal journal(int length, int records) throws JournalException {
        Journal journal =
                Journal.open(folder, JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 24));
        MemorySegment memory = MemorySegment.ofArray(new long[Frame.align(length) / Long.BYTES]);
        for (int i = 0; i < records; i++) {
            JournalRecord.header(memory, 0, length, (short) 1, (byte) 1, (byte) 0);
            journal.append(memory, 0, Frame.align(length));
            journal.commit();
        }
        return journal;
    }
}
