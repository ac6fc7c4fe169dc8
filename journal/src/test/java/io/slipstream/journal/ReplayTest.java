package io.slipstream.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.journal.record.RecordHandler;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A machine whose state depends on every record and on their order comes to the same state by every way there is. */
class ReplayTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(Durability.class)
    void leadsToTheStateThatWasLeftFromTheBeginningAndFromEachSnapshot(Durability durability) throws Exception {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        JournalConfig config = JournalConfig.at(durability).withSegmentBytes(32 << 10);
        Machine live = new Machine();
        for (int opening = 0; opening < 4; opening++) {
            try (Journal journal = Journal.open(folder, config)) {
                assertThat(replayed(journal)).as("seed %d", seed).isEqualTo(live);
                assertThat(replayed(journal)).as("seed %d, once more", seed).isEqualTo(live);
                for (Snapshot snapshot : journal.snapshots().valid()) {
                    assertThat(replayedFrom(journal, snapshot))
                            .as("seed %d, snapshot %d", seed, snapshot.sequence())
                            .isEqualTo(live);
                }
                for (int i = 0; i < 300; i++) {
                    Records.appendAndCommit(journal, "account-" + random.nextInt(20) + " " + random.nextInt(-100, 100));
                    journal.flush();
                    journal.read(live.sequence + 1, live);
                    if (random.nextInt(100) == 0) {
                        live.save(journal);
                    }
                }
            }
        }
        assertThat(live.sequence).isEqualTo(1200);
    }

    private static Machine replayed(Journal journal) throws JournalException {
        Machine machine = new Machine();
        journal.read(1, machine);
        return machine;
    }

    private static Machine replayedFrom(Journal journal, Snapshot snapshot) throws JournalException {
        Machine machine = new Machine();
        snapshot.read(machine::load);
        assertThat(machine.sequence).isEqualTo(snapshot.sequence());
        journal.read(snapshot.sequence() + 1, machine);
        return machine;
    }

    /** Accounts, and a hash of all that has ever happened to them. */
    private static final class Machine implements RecordHandler {
        private final TreeMap<String, Long> balances = new TreeMap<>();
        private long sequence;
        private long hash;

        @Override
        public void onRecord(MemorySegment memory, long offset, int length) {
            String[] words = Records.payload(memory, offset, length).split(" ");
            sequence = JournalRecord.sequence(memory, offset);
            balances.merge(words[0], Long.parseLong(words[1]), Long::sum);
            hash = 31 * hash + balances.get(words[0]) + sequence;
        }

        void save(Journal journal) throws JournalException {
            try (SnapshotWriter writer = journal.snapshots().begin(sequence)) {
                MemorySegment state = Records.frames(List.of(toString()));
                writer.append(state, 0, (int) state.byteSize());
                writer.commit();
            }
        }

        void load(MemorySegment memory, long offset, int length) {
            String[] words = Records.payload(memory, offset, length).split(" ");
            sequence = Long.parseLong(words[0]);
            hash = Long.parseLong(words[1]);
            for (int i = 2; i < words.length; i += 2) {
                balances.put(words[i], Long.parseLong(words[i + 1]));
            }
        }

        @Override
        public String toString() {
            StringBuilder text = new StringBuilder(sequence + " " + hash);
            balances.forEach((account, balance) ->
                    text.append(' ').append(account).append(' ').append(balance));
            return text.toString();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Machine machine && machine.toString().equals(toString());
        }

        @Override
        public int hashCode() {
            return toString().hashCode();
        }
    }
}
