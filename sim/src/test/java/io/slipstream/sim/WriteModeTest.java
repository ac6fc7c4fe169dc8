package io.slipstream.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.config.WriteMode;
import io.slipstream.journal.storage.StorageFile;
import io.slipstream.sim.journal.JournalSimulation;
import io.slipstream.sim.storage.SimulatedCrash;
import io.slipstream.sim.storage.SimulatedDisk;
import io.slipstream.sim.storage.SimulatedStorage;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What the ways of writing mean on a simulated disk, and that the journal keeps its promises with each of them alone.
 */
class WriteModeTest {
    private static final String NAME = "file";
    private static final int BLOCK = 4096;
    private static final int RUNS = 150;

    private final SplittableRandom random = new SplittableRandom(1);
    private final SimulatedDisk disk = new SimulatedDisk();
    private final SimulatedStorage storage = new SimulatedStorage(disk, random);

    @ParameterizedTest
    @EnumSource(WriteMode.class)
    void keepsItsPromises(WriteMode mode) {
        long first = System.nanoTime() & 0xFFFF_FFFFL;
        int crashes = 0;
        for (long seed = first; seed < first + RUNS; seed++) {
            try {
                crashes += new JournalSimulation(seed).withWriteModes(mode).run();
            } catch (Throwable e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
        assertThat(crashes).isGreaterThan(RUNS);
    }

    @ParameterizedTest
    @EnumSource(
            value = WriteMode.class,
            names = {"DSYNC", "DIRECT"})
    void aWriteForcesItsOwnBytesAndNothingElse(WriteMode mode) throws Exception {
        disk.put(NAME, new byte[3 * BLOCK]);
        storage.open(NAME).writeFully(block(1), 0);
        StorageFile file = storage.open(NAME, mode);
        file.writeFully(block(2), BLOCK);
        file.force();
        assertThat(valuesAfterPowerLosses(0)).containsExactly((byte) 0, (byte) 1);
        assertThat(valuesAfterPowerLosses(BLOCK)).containsExactly((byte) 2);
    }

    @Test
    void aDirectWriteTakesWholeBlocksAlone() throws Exception {
        disk.put(NAME, new byte[3 * BLOCK]);
        StorageFile file = storage.open(NAME, WriteMode.DIRECT);
        assertThatThrownBy(() -> file.write(block(1).limit(512), 0)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> file.write(block(1), 512)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> file.write(block(1).limit(BLOCK).slice(16, BLOCK - 16), 0))
                .isInstanceOf(IOException.class);
        assertThat(file.write(block(1), BLOCK)).isEqualTo(BLOCK);
    }

    @Test
    void whatIsStoredIntoAMappingIsSeenAtOnceAndLostUntilItIsForced() throws Exception {
        disk.put(NAME, new byte[3 * BLOCK]);
        StorageFile file = storage.open(NAME, WriteMode.MAPPED);
        MemorySegment mapping = file.map(3 * BLOCK, Arena.ofAuto());
        mapping.set(ValueLayout.JAVA_BYTE, BLOCK, (byte) 1);
        ByteBuffer seen = ByteBuffer.allocate(1);
        storage.openForReading(NAME).readFully(seen, BLOCK);
        assertThat(seen.get(0)).isEqualTo((byte) 1);
        assertThat(valuesAfterPowerLosses(BLOCK)).containsExactly((byte) 0, (byte) 1);
        file.forceMapped(mapping);
        assertThat(valuesAfterPowerLosses(BLOCK)).containsExactly((byte) 1);
        mapping.set(ValueLayout.JAVA_BYTE, BLOCK, (byte) 2);
        storage.end();
        assertThat(disk.kill(random).content(NAME)[BLOCK]).isEqualTo((byte) 2);
    }

    /** A journal at PROCESS asks nothing of the disk for seconds when it writes into a mapping. */
    @Test
    void whatIsStoredIntoAMappingSurvivesAKillThatIsPlannedForAnOperationThatHasBeen() throws Exception {
        disk.put(NAME, new byte[BLOCK]);
        MemorySegment mapping = storage.open(NAME, WriteMode.MAPPED).map(BLOCK, Arena.ofAuto());
        mapping.set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
        storage.crashAt(storage.operations());
        storage.crash();
        storage.end();
        assertThat(disk.kill(random).content(NAME)[0]).isEqualTo((byte) 1);
    }

    @Test
    void nothingIsStoredIntoAMappingAfterTheCrash() throws Exception {
        disk.put(NAME, new byte[BLOCK]);
        MemorySegment mapping = storage.open(NAME, WriteMode.MAPPED).map(BLOCK, Arena.ofAuto());
        mapping.set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
        storage.crash();
        mapping.set(ValueLayout.JAVA_BYTE, 0, (byte) 2);
        assertThatThrownBy(storage::list).isInstanceOf(SimulatedCrash.class);
        storage.end();
        assertThat(disk.kill(random).content(NAME)[0]).isEqualTo((byte) 1);
    }

    /**
     * As when a segment is used again under another name before its writer, which has nothing to say any more, is
     * closed.
     */
    @Test
    void aMappingSeesWhatIsWrittenToItsFileAndDoesNotTakeItBack() throws Exception {
        disk.put(NAME, new byte[BLOCK]);
        StorageFile mapped = storage.open(NAME, WriteMode.MAPPED);
        MemorySegment mapping = mapped.map(BLOCK, Arena.ofAuto());
        mapping.set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
        storage.rename(NAME, "other");
        storage.open("other").writeFully(block(3), 0);
        assertThat(mapping.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 3);
        mapped.close();
        assertThat(disk.content("other")[0]).isEqualTo((byte) 3);
    }

    /** Returns the values that a byte has after many losses of power. */
    private List<Byte> valuesAfterPowerLosses(int at) {
        return random.ints(200)
                .mapToObj(_ -> disk.powerLoss(random).content(NAME)[at])
                .distinct()
                .sorted()
                .toList();
    }

    private static ByteBuffer block(int value) {
        ByteBuffer block =
                ByteBuffer.allocateDirect(2 * BLOCK).alignedSlice(BLOCK).limit(BLOCK);
        for (int i = 0; i < BLOCK; i++) {
            block.put(i, (byte) value);
        }
        return block;
    }
}
