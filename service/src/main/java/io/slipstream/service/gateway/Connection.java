package io.slipstream.service.gateway;

import io.slipstream.core.frame.Frame;
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
    private final OutputMemory larger;
    private final ByteBuffer firstOutput = ByteBuffer.allocateDirect(FIRST_OUTPUT_BYTES);
    private final MemorySegment firstOutputMemory = MemorySegment.ofBuffer(firstOutput);
    private OutputMemory.@Nullable Lease lease;
    private ByteBuffer output = firstOutput;
    private MemorySegment outputMemory = firstOutputMemory;
    private long closingSinceNanos;
    private int parsed;

    /** The session that this connection serves, or 0 before it has one. */
    long session;
    boolean greeted;
    boolean dirty;

    /** Nothing is taken any more; the connection closes when the client has what was written. */
    boolean closing;

    /** A message is there that has to wait for room; nothing is read meanwhile. */
    boolean held;

    Connection(long id, long nowNanos, SocketChannel channel, SelectionKey key, int inputBytes, int maxOutputBytes,
               OutputMemory larger) {
        this.id = id;
        this.openedAtNanos = nowNanos;
        this.channel = channel;
        this.key = key;
        this.input = ByteBuffer.allocateDirect(inputBytes);
        this.inputMemory = MemorySegment.ofBuffer(input);
        this.maxOutputBytes = maxOutputBytes;
        this.larger = larger;
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
     * Makes room for an output frame of that length and returns its offset in {@link #outputMemory}, or -1 if the
     * client has left too much unread, or is gone. Nothing counts as unread that was not offered to the socket.
     */
    int claimOutput(int length) {
        int aligned = Frame.align(length);
        if (!isOpen() || !hasRoom(aligned) && !(flushForRoom(aligned) || growOutput(aligned))) {
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
        int wanted = (closing || held || isLagging() ? 0 : SelectionKey.OP_READ) | (hasOutput() ? SelectionKey.OP_WRITE
                : 0);
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
        output.clear();
        shrink();
    }

    /** Lets the connection close when the client has what was written. */
    void closeWhenFlushed() {
        if (!closing) {
            closing = true;
            closingSinceNanos = System.nanoTime();
        }
    }

    /** Returns for how long the client has not taken what was written before the end. */
    long closingForNanos(long nowNanos) {
        return closing ? nowNanos - closingSinceNanos : 0;
    }

    /** Gives back the memory beyond the first buffer, if nothing is in it. */
    void shrink() {
        if (lease != null && !hasOutput()) {
            lease.close();
            lease = null;
            output = firstOutput.clear();
            outputMemory = firstOutputMemory;
        }
    }

    @Nullable Object remoteAddress() {
        return channel.socket().getRemoteSocketAddress();
    }

    private boolean hasRoom(int aligned) {
        return output.remaining() >= aligned;
    }

    private boolean flushForRoom(int aligned) {
        try {
            flush();
        } catch (IOException e) {
            return false;
        }
        return hasRoom(aligned);
    }

    private boolean growOutput(int aligned) {
        int needed = output.position() + aligned;
        if (needed > maxOutputBytes) {
            return false;
        }
        OutputMemory.Lease more = larger.lease(this, Math.min(maxOutputBytes, Math.max(2 * output.capacity(), needed)));
        if (more == null) {
            return false;
        }
        ByteBuffer grown = more.memory.asByteBuffer();
        grown.put(output.flip());
        output.clear();
        shrink();
        lease = more;
        output = grown;
        outputMemory = more.memory;
        return true;
    }
}
