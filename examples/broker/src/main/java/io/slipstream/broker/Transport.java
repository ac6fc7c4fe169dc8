package io.slipstream.broker;

import java.io.IOException;
import java.nio.ByteBuffer;

/** One way between two of the processes. A message has {@value #MESSAGE_BYTES} bytes. */
interface Transport extends AutoCloseable {
    /** Bytes of a message, as in the article that this follows. */
    int MESSAGE_BYTES = 60;

    /** Sends the message in {@code buffer}, from 0 on. */
    void send(ByteBuffer buffer) throws IOException;

    /**
     * Receives what is there, and waits until something is; hands each message to {@code consumer} at the buffer's
     * position.
     */
    void receive(Consumer consumer) throws IOException;

    @Override
    void close() throws IOException;

    /** Who gets messages. */
    @FunctionalInterface
    interface Consumer {
        /** Takes one message that begins at {@code at} in {@code buffer}. */
        void onMessage(ByteBuffer buffer, int at) throws IOException;
    }
}
