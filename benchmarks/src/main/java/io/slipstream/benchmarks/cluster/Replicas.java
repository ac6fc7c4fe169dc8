package io.slipstream.benchmarks.cluster;

import java.io.IOException;

/** Three members of one kind in this JVM, and one client of them. */
interface Replicas extends AutoCloseable {
    /** The length of a command in bytes. */
    int COMMAND_BYTES = 64;

    /** What a load has seen: nanoseconds for all of it, and for each command. */
    record Seen(long nanos, long[] each) {}

    /** Sends commands, so many of them unanswered at a time, and waits for all answers. */
    Seen send(int commands, int inFlight) throws Exception;

    /** Ends the members, and removes what they had. */
    @Override
    void close() throws IOException;

    /** Starts some, in a folder of their own. */
    @FunctionalInterface
    interface Kind {
        Replicas start() throws Exception;
    }
}
