package io.slipstream.benchmarks.ipc;

import java.nio.file.Path;

/** A way between processes, as one process has it. */
interface Link extends AutoCloseable {
    /** The length of small messages, which are written long by long, as a program writes the fields of a record. */
    int SMALL_BYTES = 64;

    /** Makes this process able to send on {@code stream}. */
    Sender sender(int stream, int messageBytes) throws Exception;

    /** Makes this process able to receive from {@code stream}. */
    Receiver receiver(int stream, int messageBytes) throws Exception;

    /** Claims room on {@code stream} and never publishes it. */
    void hold(int stream, int messageBytes) throws Exception;

    @Override
    void close();

    /** Sends messages that begin and end with their number. */
    @FunctionalInterface
    interface Sender {
        /** Sends one message if there is room; returns whether there was. */
        boolean send(long number) throws Exception;
    }

    /** Receives messages and adds up what they begin and end with. */
    interface Receiver {
        /** Receives what is there, and waits for it if that is the way of this link; returns how many messages. */
        int poll() throws Exception;

        long sum();
    }

    static Link open(String system, Path folder) throws Exception {
        return switch (system) {
            case "slipstream" -> new SlipstreamLink(folder, false);
            case "slipstream-many" -> new SlipstreamLink(folder, false);
            case "slipstream-sleeping" -> new SlipstreamLink(folder, true);
            case "aeron-claim" -> new AeronLink(folder, true, true);
            case "aeron-offer" -> new AeronLink(folder, true, false);
            case "aeron-shared" -> new AeronLink(folder, false, true);
            case "tcp" -> new TcpLink(folder);
            default -> throw new IllegalArgumentException(system);
        };
    }
}
