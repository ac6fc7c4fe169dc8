package io.slipstream.service;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.gateway.GatewayLimits;
import io.slipstream.service.logic.LogicLimits;
import io.slipstream.service.logic.Sessions;
import io.slipstream.service.pressure.Shedding;
import io.slipstream.service.protocol.Message;
import java.time.Duration;

/**
 * How many and how large things of a service may be, and what of that fits together; {@link ServiceConfig} says what
 * each is.
 */
record Bounds(
        int maxPending,
        int maxConnections,
        int maxSessions,
        int outboxBytes,
        int maxFrameLength,
        int maxUnreadBytes,
        int inputRingBytes,
        int outputRingBytes,
        int feedBytes) {
    static final Bounds DEFAULT = new Bounds(1 << 16, 1024, 512, 1 << 20, 1 << 14, 1 << 22, 1 << 23, 1 << 23, 1 << 20);

    /** The longest frame: 64 MiB of a value, and what is said around it. */
    private static final int MAX_FRAME_LENGTH = (1 << 26) + (1 << 16);

    /** A ring of that size takes the longest frame, which must fit into half of it. */
    private static final long RING_OF_LONGEST = 1 << 28;

    private static final int BACKLOG = 256;
    private static final int MIN_PENDING = 256;

    Bounds {
        require("maxPending", maxPending, 1, 1 << 24);
        require("maxConnections", maxConnections, 1, 1 << 16);
        require("maxSessions", maxSessions, 1, Sessions.MAX);
        requirePowerOfTwo("outboxBytes", outboxBytes, 4096, 1 << 26);
        require("maxFrameLength", maxFrameLength, 128, MAX_FRAME_LENGTH);
        require("maxUnreadBytes", maxUnreadBytes, 1, 1 << 28);
        require("inputRingBytes", inputRingBytes, Math.min(4L * maxFrameLength, RING_OF_LONGEST), 1 << 30);
        require("outputRingBytes", outputRingBytes, 2L * Message.MAX_OUTPUT_BYTES, 1 << 30);
        requirePowerOfTwo("feedBytes", feedBytes, 4096, 1 << 28);
        if (maxUnreadBytes < outboxBytes + Message.MAX_OUTPUT_BYTES) {
            throw new IllegalArgumentException("maxUnreadBytes " + maxUnreadBytes
                    + " is less than a client may get at once when it comes back: outboxBytes " + outboxBytes
                    + " and an output of " + Message.MAX_OUTPUT_BYTES
                    + "; make outboxBytes smaller, or maxUnreadBytes larger");
        }
    }

    Bounds withMaxPending(int pending) {
        return new Bounds(
                pending,
                maxConnections,
                maxSessions,
                outboxBytes,
                maxFrameLength,
                maxUnreadBytes,
                inputRingBytes,
                outputRingBytes,
                feedBytes);
    }

    Bounds withClients(int connections, int sessions, int outbox) {
        return new Bounds(
                maxPending,
                connections,
                sessions,
                outbox,
                maxFrameLength,
                maxUnreadBytes,
                inputRingBytes,
                outputRingBytes,
                feedBytes);
    }

    Bounds withMaxFrameLength(int length) {
        return new Bounds(
                maxPending,
                maxConnections,
                maxSessions,
                outboxBytes,
                length,
                maxUnreadBytes,
                inputRingBytes,
                outputRingBytes,
                feedBytes);
    }

    Bounds withMaxUnreadBytes(int bytes) {
        return new Bounds(
                maxPending,
                maxConnections,
                maxSessions,
                outboxBytes,
                maxFrameLength,
                bytes,
                inputRingBytes,
                outputRingBytes,
                feedBytes);
    }

    Bounds withRings(int inputBytes, int outputBytes) {
        return new Bounds(
                maxPending,
                maxConnections,
                maxSessions,
                outboxBytes,
                maxFrameLength,
                maxUnreadBytes,
                inputBytes,
                outputBytes,
                feedBytes);
    }

    Bounds withFeedBytes(int bytes) {
        return new Bounds(
                maxPending,
                maxConnections,
                maxSessions,
                outboxBytes,
                maxFrameLength,
                maxUnreadBytes,
                inputRingBytes,
                outputRingBytes,
                bytes);
    }

    void requireFits(JournalConfig journal) {
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

    LogicLimits ofLogic() {
        return new LogicLimits(outboxBytes, feedBytes, maxFrameLength);
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
}
