package io.slipstream.service;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.gateway.GatewayLimits;
import io.slipstream.service.logic.LogicLimits;
import io.slipstream.service.logic.Sessions;
import io.slipstream.service.pressure.Shedding;
import io.slipstream.service.protocol.Message;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * How many and how large the things of a service may be. A value: {@link ServiceConfig#withLimits} gives the defaults,
 * and each {@code with} method returns a changed copy. What must fit together is checked when the configuration takes
 * it, so the order of the changes of one call does not matter.
 */
public final class ServiceLimits implements Cloneable {
    static final ServiceLimits DEFAULT = new ServiceLimits();

    /** The longest frame: 64 MiB of a value, and what is said around it. */
    private static final int MAX_FRAME_LENGTH = (1 << 26) + (1 << 16);

    /** A ring of that size takes the longest frame, which must fit into half of it. */
    private static final int RING_OF_LONGEST = 1 << 28;

    private static final int BACKLOG = 256;
    private static final int MIN_PENDING = 256;

    private int maxPending = 1 << 16;
    private int maxConnections = 1024;
    private int maxSessions = 512;
    private int outboxBytes = 1 << 20;
    private int maxFrameLength = 1 << 14;
    private int maxUnreadBytes = 1 << 22;
    private int inputRingBytes = 1 << 23;
    private int outputRingBytes = 1 << 23;
    private int feedBytes = 1 << 20;

    private ServiceLimits() {}

    /** Returns how many commands may wait at most, however fast they are done. */
    public int maxPending() {
        return maxPending;
    }

    /** Returns a copy with another bound on the commands that wait, up to 16,777,216; 65,536 if unset. */
    public ServiceLimits withMaxPending(int pending) {
        require("maxPending", pending, 1, 1 << 24);
        return with(copy -> copy.maxPending = pending);
    }

    /** Returns how many clients may be connected. */
    public int maxConnections() {
        return maxConnections;
    }

    /** Returns how many sessions are remembered, connected or not. */
    public int maxSessions() {
        return maxSessions;
    }

    /** Returns how many bytes of outputs are kept for each session. */
    public int outboxBytes() {
        return outboxBytes;
    }

    /**
     * Returns a copy with other bounds on clients.
     *
     * @param connections how many clients may be connected, up to 65,536; 1,024 if unset
     * @param sessions    how many sessions are remembered, connected or not, up to 1,048,576; 512 if unset
     * @param outbox      how many bytes of outputs are kept for each session, in up to twice as much memory; a power of
     *                    two from 4 KiB to 64 MiB; 1 MiB if unset
     */
    public ServiceLimits withClients(int connections, int sessions, int outbox) {
        require("maxConnections", connections, 1, 1 << 16);
        require("maxSessions", sessions, 1, Sessions.MAX);
        requirePowerOfTwo("outboxBytes", outbox, 4096, 1 << 26);
        return with(copy -> {
            copy.maxConnections = connections;
            copy.maxSessions = sessions;
            copy.outboxBytes = outbox;
        });
    }

    /** Returns the longest frame in bytes, header included, that a client may send. */
    public int maxFrameLength() {
        return maxFrameLength;
    }

    /**
     * Returns a copy with another bound on the length of a frame, header included, from 128 bytes to 64 MiB and 64 KiB;
     * 16 KiB if unset. What is longer is refused. It must fit into a segment of the journal, and four times into the
     * input ring, if that is smaller than 256 MiB.
     */
    public ServiceLimits withMaxFrameLength(int length) {
        require("maxFrameLength", length, 128, MAX_FRAME_LENGTH);
        return with(copy -> copy.maxFrameLength = length);
    }

    /** Returns how many bytes of outputs a client may leave unread before it is disconnected. */
    public int maxUnreadBytes() {
        return maxUnreadBytes;
    }

    /**
     * Returns a copy with another bound on what a client may leave unread, beyond what its socket takes, up to 256 MiB;
     * 4 MiB if unset. At least {@code outboxBytes} and the longest output together. Replies and events of more than a
     * frame count apart, up to {@link io.slipstream.service.machine.Output#MAX_LENGTH_UNKEPT} of them for each client.
     * All clients together may leave unread a quarter of the largest heap; then those that have left the most are
     * disconnected.
     */
    public ServiceLimits withMaxUnreadBytes(int bytes) {
        require("maxUnreadBytes", bytes, 1, 1 << 28);
        return with(copy -> copy.maxUnreadBytes = bytes);
    }

    /** Returns the size of the ring between gateway and logic. */
    public int inputRingBytes() {
        return inputRingBytes;
    }

    /** Returns the size of the ring between logic and gateway. */
    public int outputRingBytes() {
        return outputRingBytes;
    }

    /**
     * Returns a copy with rings of other sizes, up to 1 GiB; 8 MiB each if unset. The input ring takes at least four of
     * the longest frames, or has 256 MiB; the output ring has 512 KiB at least, since it takes the longest output.
     */
    public ServiceLimits withRings(int inputBytes, int outputBytes) {
        require("inputRingBytes", inputBytes, 1, 1 << 30);
        require("outputRingBytes", outputBytes, 2L * Message.MAX_OUTPUT_BYTES, 1 << 30);
        return with(copy -> {
            copy.inputRingBytes = inputBytes;
            copy.outputRingBytes = outputBytes;
        });
    }

    /** Returns how many bytes of items are kept for each topic, for subscribers that come back. */
    public int feedBytes() {
        return feedBytes;
    }

    /**
     * Returns a copy that keeps another number of bytes of items for each topic; a power of two from 4 KiB to 256 MiB,
     * 1 MiB if unset.
     */
    public ServiceLimits withFeedBytes(int bytes) {
        requirePowerOfTwo("feedBytes", bytes, 4096, 1 << 28);
        return with(copy -> copy.feedBytes = bytes);
    }

    /** Checks that these fit together, and into a journal. */
    void requireFit(JournalConfig journal) {
        long least = Math.min(4L * maxFrameLength, RING_OF_LONGEST);
        if (inputRingBytes < least) {
            throw new IllegalArgumentException(
                    "inputRingBytes " + inputRingBytes + " takes too few frames of maxFrameLength " + maxFrameLength
                            + ": it must have " + least + " at least; make the ring larger, or maxFrameLength smaller");
        }
        if (maxUnreadBytes < outboxBytes + Message.MAX_OUTPUT_BYTES) {
            throw new IllegalArgumentException("maxUnreadBytes " + maxUnreadBytes
                    + " is less than a client may get at once when it comes back: outboxBytes " + outboxBytes
                    + " and an output of " + Message.MAX_OUTPUT_BYTES
                    + "; make outboxBytes smaller, or maxUnreadBytes larger");
        }
        if (Frame.align(maxFrameLength) > journal.maxAppendBytes()) {
            throw new IllegalArgumentException("a frame of maxFrameLength " + maxFrameLength
                    + " does not fit into a segment of the journal of " + journal.segmentBytes()
                    + " bytes, which takes "
                    + journal.maxAppendBytes() + "; make the segments larger, or maxFrameLength smaller");
        }
    }

    GatewayLimits ofGateway(Duration maxResponseTime, Shedding shedding) {
        long allUnreadBytes = Math.max(maxUnreadBytes, Runtime.getRuntime().maxMemory() / 4);
        return new GatewayLimits(
                maxConnections,
                BACKLOG,
                maxFrameLength,
                maxUnreadBytes,
                allUnreadBytes,
                maxResponseTime.toNanos(),
                Math.min(MIN_PENDING, maxPending),
                maxPending,
                shedding);
    }

    LogicLimits ofLogic(String skipCommand) {
        return new LogicLimits(outboxBytes, feedBytes, maxFrameLength, skipCommand);
    }

    static void require(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + " must be from " + min + " to " + max + ", not " + value);
        }
    }

    private static void requirePowerOfTwo(String name, int value, int min, int max) {
        require(name, value, min, max);
        if (Integer.bitCount(value) != 1) {
            throw new IllegalArgumentException(name + " must be a power of two, not " + value);
        }
    }

    private ServiceLimits with(Consumer<ServiceLimits> change) {
        try {
            ServiceLimits copy = (ServiceLimits) clone();
            change.accept(copy);
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }
}
