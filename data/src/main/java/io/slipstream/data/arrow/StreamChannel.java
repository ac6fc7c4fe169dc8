package io.slipstream.data.arrow;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/**
 * A channel that writes to a stream, which stays the caller's to close. An interrupt of its thread does not close it,
 * as it does one of {@link java.nio.channels.Channels#newChannel(OutputStream)}.
 */
public final class StreamChannel implements WritableByteChannel {
    private final OutputStream out;
    private final byte[] chunk = new byte[1 << 16];

    /** Creates one that writes to {@code out}. */
    public StreamChannel(OutputStream out) {
        this.out = out;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        int bytes = source.remaining();
        while (source.hasRemaining()) {
            int some = Math.min(chunk.length, source.remaining());
            source.get(chunk, 0, some);
            out.write(chunk, 0, some);
        }
        return bytes;
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public void close() {}
}
