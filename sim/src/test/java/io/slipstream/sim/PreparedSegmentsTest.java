package io.slipstream.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.Journal;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.journal.storage.StorageFile;
import io.slipstream.sim.storage.DiskFaults;
import io.slipstream.sim.storage.SimulatedDisk;
import io.slipstream.sim.storage.SimulatedStorage;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Segments that are kept ready before they are needed. */
class PreparedSegmentsTest {
    private static final int SEGMENT = 64 << 10;
    private static final JournalConfig CONFIG = JournalConfig.at(Durability.SYNC)
            .withSegmentBytes(SEGMENT)
            .withPreparedSegments(3)
            .withPrepareInBackground(false);

    private final SplittableRandom random = new SplittableRandom(5);
    private final SimulatedDisk disk = new SimulatedDisk();
    private final List<String> created = new ArrayList<>();

    @Test
    void stayForTheNextOpeningAfterACrashToo() throws Exception {
        append(Journal.open(counting(disk), CONFIG));
        assertThat(created).hasSize(4);
        created.clear();
        try (Journal journal = Journal.open(counting(disk.powerLoss(random)), CONFIG)) {
            assertThat(created).isEmpty();
            for (int i = 0; i < 100; i++) {
                append(journal);
            }
            assertThat(journal.read(1, (memory, offset, length) -> {})).isEqualTo(101);
        }
        assertThat(created).isNotEmpty();
    }

    @Test
    void areNoMoreThanTheNextOneWhereThereIsLittleRoom() throws Exception {
        SimulatedStorage storage = new SimulatedStorage(disk, random);
        storage.setFaults(DiskFaults.NONE.withCapacityBytes(5 * SEGMENT));
        try (Journal journal = Journal.open(storage, CONFIG)) {
            append(journal);
            assertThat(disk.list())
                    .filteredOn(name -> name.endsWith(".journal"))
                    .hasSize(2);
        }
    }

    private Twist counting(SimulatedDisk seen) {
        return new Twist(new SimulatedStorage(seen, random)) {
            @Override
            public StorageFile create(String name) throws IOException {
                if (name.startsWith("segment")) {
                    created.add(name);
                }
                return super.create(name);
            }
        };
    }

    private static void append(Journal journal) throws JournalException {
        int length = JournalRecord.HEADER_BYTES + 800;
        MemorySegment frame = Arena.ofAuto().allocate(Frame.align(length), Frame.ALIGNMENT);
        JournalRecord.header(frame, 0, length, (short) 1, (byte) 0, (byte) 0);
        journal.append(frame, 0, (int) frame.byteSize());
        journal.commit();
    }
}
