package io.slipstream.cluster.engine;

import io.aeron.archive.checksum.Checksum;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The CRC-32C of what the archive records, by which a record at its end that ends with zeros is told from a torn one.
 * For the thread of the archive.
 */
final class RecordSum implements Checksum {
    private final CRC32C sum = new CRC32C();
    private final UnsafeBuffer record = new UnsafeBuffer(0, 0);
    private ByteBuffer copy = ByteBuffer.allocateDirect(1 << 16);

    @Override
    public int compute(long address, int offset, int length) {
        if (copy.capacity() < length) {
            copy = ByteBuffer.allocateDirect(2 * length);
        }
        record.wrap(address + offset, length);
        record.getBytes(0, copy, 0, length);
        sum.reset();
        sum.update(copy.clear().limit(length));
        return (int) sum.getValue();
    }
}
