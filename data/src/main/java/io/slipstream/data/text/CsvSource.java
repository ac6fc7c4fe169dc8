package io.slipstream.data.text;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/** Where the bytes of a reader come from. */
@FunctionalInterface
interface CsvSource {
    /** Reads at least one byte and at most {@code count}, which is positive; -1 at the end. */
    int read(byte[] to, int at, int count) throws IOException;

    static CsvSource of(MemorySegment segment) {
        return new CsvSource() {
            private long position;

            @Override
            public int read(byte[] to, int at, int count) {
                int read = (int) Math.min(count, segment.byteSize() - position);
                MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, position, to, at, read);
                position += read;
                return read == 0 ? -1 : read;
            }
        };
    }

    static CsvSource of(ReadableByteChannel channel) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16).flip();
        return (to, at, count) -> {
            while (!buffer.hasRemaining()) {
                int read = channel.read(buffer.clear());
                buffer.flip();
                if (read < 0) {
                    return -1;
                }
            }
            int read = Math.min(count, buffer.remaining());
            buffer.get(to, at, read);
            return read;
        };
    }
}
