package io.slipstream.service.logic;

import io.slipstream.core.frame.Frame;
import io.slipstream.service.machine.Request;
import io.slipstream.service.protocol.Message;
import java.lang.foreign.MemorySegment;
import java.util.function.LongFunction;

/** A command in a frame of the ring or of the journal. */
final class FrameRequest implements Request {
    private final LongFunction<String> principals;
    private MemorySegment memory = MemorySegment.NULL;
    private long frame;

    /** Creates a command of nothing; {@code principals} tells who a session belongs to. */
    FrameRequest(LongFunction<String> principals) {
        this.principals = principals;
    }

    @Override
    public String principal() {
        return principals.apply(session());
    }

    /** Points to the message whose header is at {@code offset}. */
    FrameRequest wrap(MemorySegment newMemory, long offset) {
        memory = newMemory;
        frame = offset;
        return this;
    }

    @Override
    public MemorySegment memory() {
        return memory;
    }

    @Override
    public long offset() {
        return frame + Message.HEADER_BYTES;
    }

    @Override
    public int length() {
        return Frame.length(memory, frame) - Message.HEADER_BYTES;
    }

    @Override
    public long session() {
        return Message.session(memory, frame);
    }

    @Override
    public long correlation() {
        return Message.correlation(memory, frame);
    }

    @Override
    public long sequence() {
        return Message.sequence(memory, frame);
    }

    @Override
    public long timeNanos() {
        return Message.timeNanos(memory, frame);
    }
}
