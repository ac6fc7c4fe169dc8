package io.slipstream.cluster.files;

import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Puts the frames of a recording together to messages. For one thread. */
final class RecordedMessages implements RecordedFrames.Frames {
    private static final int FIRST_BYTES = 1 << 16;

    private final Messages messages;
    private ByteBuffer message = ByteBuffer.allocateDirect(FIRST_BYTES);
    private long began = -1;

    RecordedMessages(Messages messages) {
        this.messages = messages;
    }

    /** Returns where a message begins that is not there as a whole, or else {@code otherwise}. */
    long unfinished(long otherwise) {
        return began < 0 ? otherwise : began;
    }

    /** Forgets a message that is not there as a whole. */
    void forget() {
        began = -1;
    }

    @Override
    public void onFrame(long position, ByteBuffer frame) throws IOException {
        int flags = frame.get(DataHeaderFlyweight.FLAGS_FIELD_OFFSET);
        if ((flags & FrameDescriptor.BEGIN_FRAG_FLAG) != 0) {
            began = position;
            message.clear();
        }
        if (began < 0) {
            throw new IOException("the message at " + position + " has no beginning");
        }
        ByteBuffer bytes = frame.position(RecordedFrames.HEADER_BYTES);
        if (message.remaining() < bytes.remaining()) {
            message = ByteBuffer.allocateDirect(2 * (message.position() + bytes.remaining()))
                    .put(message.flip());
        }
        message.put(bytes);
        if ((flags & FrameDescriptor.END_FRAG_FLAG) != 0) {
            long at = began;
            began = -1;
            messages.onMessage(at, message.flip());
        }
    }

    /** Is passed one message after the other. */
    interface Messages {
        /**
         * Called for each message.
         *
         * @param message direct, from 0 to its limit; good until this returns
         */
        void onMessage(long position, ByteBuffer message) throws IOException;
    }
}
