package io.slipstream.service.gateway;

import io.slipstream.core.ring.Frame;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/** One socket with what was read and not yet understood, and what is to be written. */
final class Connection {
    private static final int FIRST_OUTPUT_BYTES = 1 << 14;

    final long id;
    final long openedAtNanos;
    private final SocketChannel channel;
    private final SelectionKey key;
    private final ByteBuffer input;
    private final MemorySegment inputMemory;
    private final int maxOutputBytes;
    private ByteBuffer output = ByteBuffer.allocateDirect(FIRST_OUTPUT_BYTES);
    private MemorySegment outputMemory = MemorySegment.ofBuffer(output);
    private int parsed;

    /** The session that this connection serves, or 0 before it has one. */
    long session;
    boolean greeted;
    boolean closing;
    boolean dirty;

    /** A message is there that has to wait for room; nothing is read meanwhile. */
    boolean held;

    Connection(long id, long nowNanos, SocketChannel channel, SelectionKey key, int inputBytes, int maxOutputBytes) {
        this.id = id;
        this.openedAtNanos = nowNanos;
        this.channel = channel;
        this.key = key;
        this.input = ByteBuffer.allocateDirect(inputBytes);
        this.inputMemory = MemorySegment.ofBuffer(input);
        this.maxOutputBytes = maxOutputBytes;
    }

    /** Reads what has arrived; returns false at the end of the stream. */
    boolean read() throws IOException {
        return channel.read(input) >= 0;
    }

    MemorySegment inputMemory() {
        return inputMemory;
    }

    /** Returns how many bytes were read and not yet taken. */
    int unparsed() {
        return input.position() - parsed;
    }

    /** Returns where in {@link #inputMemory} they begin. */
    int parsedTo() {
        return parsed;
    }

    void take(int bytes) {
        parsed += bytes;
    }

    /** Moves what was not taken to the front, so that there is room to read. */
    void compactInput() {
        if (parsed > 0) {
            int left = unparsed();
            MemorySegment.copy(inputMemory, parsed, inputMemory, 0, left);
            input.position(left);
            parsed = 0;
        }
    }

    /**
     * Makes room for an output frame of that length and returns its offset in {@link #outputMemory}, or -1 if the client
     * has left too much unread, or is gone.
     */
    int claimOutput(int length) {
        int aligned = Frame.align(length);
        if (!isOpen() || output.remaining() < aligned && !growOutput(aligned)) {
            return -1;
        }
        int offset = output.position();
        output.position(offset + aligned);
        return offset;
    }

    MemorySegment outputMemory() {
        return outputMemory;
    }

    /** Returns whether more than half of what a client may leave unread is unread. */
    boolean isLagging() {
        return output.position() > maxOutputBytes / 2;
    }

    boolean hasOutput() {
        return output.position() > 0;
    }

    /** Writes as much as the socket takes. */
    void flush() throws IOException {
        output.flip();
        try {
            channel.write(output);
        } finally {
            output.compact();
        }
    }

    /** Tells the selector what this connection waits for. */
    void updateInterest() {
        int wanted = (closing || held || isLagging() ? 0 : SelectionKey.OP_READ) | (hasOutput() ? SelectionKey.OP_WRITE : 0);
        if (key.interestOps() != wanted) {
            key.interestOps(wanted);
        }
    }

    boolean isOpen() {
        return channel.isOpen();
    }

    void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // Nothing is left to do for a socket that cannot even be closed.
        }
    }

    @Nullable Object remoteAddress() {
        return channel.socket().getRemoteSocketAddress();
    }

    private boolean growOutput(int aligned) {
        int needed = output.position() + aligned;
        if (needed > maxOutputBytes) {
            return false;
        }
        ByteBuffer larger = ByteBuffer.allocateDirect(
                Math.min(maxOutputBytes, Math.max(2 * output.capacity(), needed)));
        output.flip();
        larger.put(output);
        output = larger;
        outputMemory = MemorySegment.ofBuffer(output.duplicate().clear());
        return true;
    }
}
