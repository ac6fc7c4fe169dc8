package io.slipstream.cluster.engine;

import io.aeron.Image;
import io.aeron.ImageFragmentAssembler;
import io.aeron.logbuffer.Header;
import io.slipstream.core.frame.Frame;
import io.slipstream.service.snapshot.ChunkedInput;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;

/** Gives back what a {@link SnapshotWriter} has recorded. */
final class SnapshotReader implements ChunkedInput.Source {
    private final Image image;
    private final IdleStrategy idle;
    private final ImageFragmentAssembler assembler = new ImageFragmentAssembler(this::onRecord);
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(SnapshotWriter.MAX_BYTES);
    private final MemorySegment memory = MemorySegment.ofBuffer(bytes);
    private final CRC32C sum = new CRC32C();
    private int length;
    private boolean sound;

    SnapshotReader(Image image, IdleStrategy idle) {
        this.image = image;
        this.idle = idle;
    }

    @Override
    public boolean next() throws IOException {
        length = 0;
        idle.reset();
        while (length == 0) {
            int fragments = image.poll(assembler, 1);
            if (length == 0 && fragments == 0) {
                if (image.isClosed() || image.isEndOfStream()) {
                    return false;
                }
                idle.idle();
            }
        }
        if (!sound) {
            throw new IOException("the snapshot is damaged: a record of " + length + " bytes has another checksum");
        }
        return true;
    }

    private void onRecord(DirectBuffer buffer, int offset, int recorded, Header header) {
        length = Math.max(1, recorded - Long.BYTES);
        if (recorded <= Long.BYTES || recorded > SnapshotWriter.MAX_BYTES) {
            sound = false;
            return;
        }
        buffer.getBytes(offset, bytes, 0, length);
        sum.reset();
        sum.update(bytes.clear().limit(length));
        sound = sum.getValue() == buffer.getLong(offset + length);
    }

    @Override
    public MemorySegment memory() {
        return memory;
    }

    @Override
    public long offset() {
        return 0;
    }

    @Override
    public int length() {
        return Frame.length(memory, 0);
    }
}
