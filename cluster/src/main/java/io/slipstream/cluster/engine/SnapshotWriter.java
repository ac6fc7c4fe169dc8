package io.slipstream.cluster.engine;

import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.slipstream.service.snapshot.ChunkedOutput;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;

/** Records a snapshot: the records of {@link ChunkedOutput}, each with a checksum behind it. */
final class SnapshotWriter implements ChunkedOutput.Sink {
    static final int MAX_BYTES = (1 << 16) + (1 << 12);

    private final ExclusivePublication publication;
    private final IdleStrategy idle;
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(MAX_BYTES);
    private final MemorySegment memory = MemorySegment.ofBuffer(bytes);
    private final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
    private final CRC32C sum = new CRC32C();

    SnapshotWriter(ExclusivePublication publication, IdleStrategy idle) {
        this.publication = publication;
        this.idle = idle;
    }

    @Override
    public void append(MemorySegment from, long offset, int length) throws IOException {
        MemorySegment.copy(from, offset, memory, 0, length);
        sum.reset();
        sum.update(bytes.clear().limit(length));
        buffer.putLong(length, sum.getValue());
        idle.reset();
        long result;
        while ((result = publication.offer(buffer, 0, length + Long.BYTES)) < 0) {
            if (result == Publication.CLOSED || result == Publication.MAX_POSITION_EXCEEDED) {
                throw new IOException("the archive takes no more of the snapshot: " + Publication.errorString(result));
            }
            idle.idle();
        }
    }
}
