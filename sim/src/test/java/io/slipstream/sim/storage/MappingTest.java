package io.slipstream.sim.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.WriteMode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class MappingTest {
    private static final int BYTES = 8192;

    private final SimulatedDisk disk = new SimulatedDisk();
    private final SimulatedStorage storage = new SimulatedStorage(disk, new SplittableRandom(1));

    /** A segment that is used again is mapped while its former mapping is still there. */
    @Test
    void allMappingsOfAFileAreOne() throws Exception {
        storage.createAnew("first").writeFully(ByteBuffer.allocate(BYTES), 0);
        MemorySegment former = storage.open("first", WriteMode.MAPPED).map(BYTES, Arena.ofAuto());
        storage.rename("first", "second");
        var again = storage.open("second", WriteMode.MAPPED);
        MemorySegment mapped = again.map(BYTES, Arena.ofAuto());
        mapped.set(ValueLayout.JAVA_BYTE, 0, (byte) 7);
        assertThat(former.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 7);
        again.forceMapped(mapped);
        storage.syncDirectory();
        assertThat(disk.powerLoss(new SplittableRandom(2)).content("second")[0]).isEqualTo((byte) 7);
    }
}
