package io.slipstream.service;

import io.slipstream.core.ring.Frame;
import io.slipstream.service.protocol.Message;

import java.lang.foreign.MemorySegment;

/** A view of a command or query where it lies; the same object for every command. */
public final class Command {
    private MemorySegment memory = MemorySegment.NULL;
    private long frame;

    /** Creates a view of nothing; {@link #wrap} gives it something. */
    public Command() {
    }

    /** Points the view at the message whose header is at {@code offset}. */
    public Command wrap(MemorySegment memory, long offset) {
        this.memory = memory;
        this.frame = offset;
        return this;
    }

    /** Returns the memory that holds the payload; valid only during the call that got this command. */
    public MemorySegment memory() {
        return memory;
    }

    /** Returns the offset of the payload in {@link #memory}. */
    public long offset() {
        return frame + Message.HEADER_BYTES;
    }

    /** Returns the length of the payload in bytes. */
    public int length() {
        return Frame.length(memory, frame) - Message.HEADER_BYTES;
    }

    /** Returns the session that sent it. */
    public long session() {
        return Message.session(memory, frame);
    }

    /** Returns the client's own number of it. */
    public long correlation() {
        return Message.correlation(memory, frame);
    }

    /** Returns its place in the log; 0 for a query. */
    public long sequence() {
        return Message.sequence(memory, frame);
    }

    /** Returns the time stamped on the log entry, in nanoseconds since 1970; 0 for a query. */
    public long timeNanos() {
        return Message.timeNanos(memory, frame);
    }
}
