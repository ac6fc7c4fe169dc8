package io.slipstream.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.GroupCommit;
import io.slipstream.journal.Journal;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.errors.JournalFailedException;
import io.slipstream.journal.errors.JournalFullException;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.sim.storage.DiskFaults;
import io.slipstream.sim.storage.SimulatedDisk;
import io.slipstream.sim.storage.SimulatedStorage;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What many threads that wait for one journal are told when its disk fails. */
class WaitingAppendsTest {
    private static final int THREADS = 6;
    private static final int GOOD_APPENDS = 50;
    private static final JournalConfig CONFIG =
            JournalConfig.at(Durability.SYNC).withSegmentBytes(32 << 10).withPrepareInBackground(false);

    private final SplittableRandom random = new SplittableRandom(7);
    private final SimulatedDisk disk = new SimulatedDisk();
    private final SimulatedStorage storage = new SimulatedStorage(disk, random);
    private final Set<Long> acknowledged = ConcurrentHashMap.newKeySet();
    private final ConcurrentLinkedQueue<Throwable> thrown = new ConcurrentLinkedQueue<>();

    @Test
    void allFailWhenAForceFailsAndNothingAcknowledgedIsLost() throws Exception {
        appendUntilItFails(new DiskFaults(0, 0, 1, 0, Long.MAX_VALUE));
        assertThat(thrown).hasSize(THREADS).allSatisfy(e -> assertThat(e).isInstanceOf(JournalFailedException.class));
        checkAcknowledged(disk.powerLoss(random));
    }

    @Test
    void allAreRefusedWhenTheDiskIsFullAndNothingAcknowledgedIsLost() throws Exception {
        storage.setFaults(DiskFaults.NONE.withCapacityBytes(600 << 10));
        appendUntilItFails(null);
        assertThat(thrown).hasSize(THREADS).allSatisfy(e -> assertThat(e).isInstanceOf(JournalFullException.class));
        checkAcknowledged(disk.powerLoss(random));
    }

    private void appendUntilItFails(@Nullable DiskFaults faults) throws Exception {
        Journal journal = Journal.open(storage, CONFIG);
        GroupCommit group = new GroupCommit(journal);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            boolean breaksTheDisk = i == 0;
            threads.add(Thread.ofPlatform().start(() -> {
                try {
                    append(group, breaksTheDisk ? faults : null);
                } catch (Throwable e) {
                    thrown.add(e);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void append(GroupCommit group, @Nullable DiskFaults faults) throws JournalException {
        GroupCommit.Member member = group.join();
        int length = JournalRecord.HEADER_BYTES + 100;
        MemorySegment frame = Arena.ofAuto().allocate(Frame.align(length), Frame.ALIGNMENT);
        for (int i = 0; ; i++) {
            if (faults != null && i == GOOD_APPENDS) {
                // Handed over with the record, so that whoever commits it sees it.
                storage.setFaults(faults);
            }
            JournalRecord.header(frame, 0, length, (short) 1, (byte) 0, (byte) 0);
            member.append(frame, 0, (int) frame.byteSize());
            acknowledged.add(JournalRecord.sequence(frame, 0));
        }
    }

    private void checkAcknowledged(SimulatedDisk after) throws JournalException {
        assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(GOOD_APPENDS);
        try (Journal journal = Journal.open(new SimulatedStorage(after, random), CONFIG)) {
            long last = journal.durableSequence().getAcquire();
            assertThat(acknowledged).allSatisfy(sequence -> assertThat(sequence).isBetween(1L, last));
            long read = journal.read(
                    1,
                    (memory, offset, bytes) -> assertThat(
                                    memory.get(ValueLayout.JAVA_BYTE, offset + JournalRecord.HEADER_BYTES))
                            .isZero());
            assertThat(read).isEqualTo(last);
        }
    }
}
