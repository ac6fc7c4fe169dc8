package io.slipstream.cluster.engine;

import io.aeron.CncFileDescriptor;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;

/**
 * The counters of an engine, mapped once more: Aeron unmaps its own when it ends by itself, and whoever reads them then
 * ends the process. This mapping lasts as long as anybody can read it. Any thread may use it.
 */
final class EngineCounters {
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    private final MemorySegment values;

    /** Maps the counters of a driver that runs. */
    EngineCounters(Path aeronDirectory) throws IOException {
        try (FileChannel file = FileChannel.open(
                aeronDirectory.resolve(CncFileDescriptor.CNC_FILE),
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            MemorySegment all = file.map(FileChannel.MapMode.READ_WRITE, 0, file.size(), Arena.ofAuto());
            ByteBuffer bytes = all.asByteBuffer();
            DirectBuffer meta = CncFileDescriptor.createMetaDataBuffer(bytes);
            UnsafeBuffer counters = CncFileDescriptor.createCountersValuesBuffer(bytes, meta);
            this.values = all.asSlice(counters.addressOffset() - all.address(), counters.capacity());
        }
    }

    long get(int counter) {
        return (long) LONG.getVolatile(values, (long) CountersReader.counterOffset(counter));
    }

    /** Sets a counter that has the value {@code expected}; returns whether it had. */
    boolean replace(int counter, long expected, long value) {
        return LONG.compareAndSet(values, (long) CountersReader.counterOffset(counter), expected, value);
    }
}
