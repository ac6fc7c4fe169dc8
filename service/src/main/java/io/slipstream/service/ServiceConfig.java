package io.slipstream.service;

import io.slipstream.core.affinity.PinPlan;
import io.slipstream.core.ring.Frame;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.gateway.GatewayLimits;
import io.slipstream.service.logic.Sessions;
import io.slipstream.service.protocol.Message;
import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

/**
 * How a service runs. {@link #in} gives the defaults; each {@code with} method returns a changed copy.
 *
 * @param directory        of the journal; made if it does not exist
 * @param address          to listen on; port 0 takes any free one
 * @param journal          how the journal writes
 * @param maxResponseTime  how long an accepted command may wait; beyond it commands are refused as busy
 * @param maxPending       how many commands may wait at most, however fast they are done
 * @param maxConnections   how many clients may be connected
 * @param maxSessions      how many sessions are remembered, connected or not; at most 4096
 * @param outboxBytes      how many bytes of outputs are kept for each session; a power of two from 4096
 * @param maxFrameLength   longest frame in bytes, header included, that a client may send; it must fit into a segment of
 *                         the journal
 * @param maxUnreadBytes   how many bytes of outputs a client may leave unread, beyond what its socket takes, before it is
 *                         disconnected; at least {@code outboxBytes} and the longest output together. All clients together
 *                         may leave unread a quarter of the largest heap; then those that have left the most are disconnected
 * @param inputRingBytes   size of the ring between gateway and logic
 * @param outputRingBytes  size of the ring between logic and gateway; from 512 KiB, since it has to take the longest output
 * @param threading        on how many threads the stages run
 * @param waiting          what a thread does while there is nothing to do
 * @param pinning          on which CPUs the threads run, in the order journal, logic, gateway, as far as they are threads of their own;
 *                         null leaves that to the system
 */
public record ServiceConfig(Path directory, InetSocketAddress address, JournalConfig journal, Duration maxResponseTime,
                            int maxPending, int maxConnections, int maxSessions, int outboxBytes, int maxFrameLength,
                            int maxUnreadBytes, int inputRingBytes, int outputRingBytes, Threading threading,
                            WaitStrategy waiting, @Nullable PinPlan pinning) {
    private static final int BACKLOG = 256;
    private static final int MIN_PENDING = 256;

    /** Checks the values. */
    public ServiceConfig {
        Objects.requireNonNull(directory, "directory");
        Objects.requireNonNull(address, "address");
        Objects.requireNonNull(journal, "journal");
        Objects.requireNonNull(threading, "threading");
        Objects.requireNonNull(waiting, "waiting");
        require("maxResponseTime in ms", maxResponseTime.toMillis(), 1, 60_000);
        require("maxPending", maxPending, 1, 1 << 24);
        require("maxConnections", maxConnections, 1, 1 << 16);
        require("maxSessions", maxSessions, 1, Sessions.MAX);
        require("outboxBytes", outboxBytes, 4096, 1 << 26);
        require("maxFrameLength", maxFrameLength, 128, 1 << 20);
        require("maxUnreadBytes", maxUnreadBytes, 1, 1 << 28);
        require("inputRingBytes", inputRingBytes, 4L * maxFrameLength, 1 << 30);
        require("outputRingBytes", outputRingBytes, 2L * Message.MAX_OUTPUT_BYTES, 1 << 30);
        if (Frame.align(maxFrameLength) > journal.maxAppendBytes()) {
            throw new IllegalArgumentException("a frame of maxFrameLength " + maxFrameLength + " does not fit into a segment of the journal"
                    + " of " + journal.segmentBytes() + " bytes, which takes " + journal.maxAppendBytes()
                    + "; make the segments larger, or maxFrameLength smaller");
        }
        if (maxUnreadBytes < outboxBytes + Message.MAX_OUTPUT_BYTES) {
            throw new IllegalArgumentException("maxUnreadBytes " + maxUnreadBytes + " is less than a client may get at once when it comes"
                    + " back: outboxBytes " + outboxBytes + " and an output of " + Message.MAX_OUTPUT_BYTES
                    + "; make outboxBytes smaller, or maxUnreadBytes larger");
        }
        if (Integer.bitCount(outboxBytes) != 1) {
            throw new IllegalArgumentException("outboxBytes must be a power of two, not " + outboxBytes);
        }
    }

    /** Returns the defaults: loopback, any port, every answered command forced to disk, answers within 50 ms. */
    public static ServiceConfig in(Path directory) {
        return new ServiceConfig(directory, new InetSocketAddress("127.0.0.1", 0), JournalConfig.at(Durability.SYNC),
                Duration.ofMillis(50), 1 << 16, 1024, 512, 1 << 20, 1 << 14, 1 << 22, 1 << 23, 1 << 23,
                Threading.forProcessors(Runtime.getRuntime().availableProcessors()), WaitStrategy.parking(), null);
    }

    /** Returns a copy that listens on another address. */
    public ServiceConfig withAddress(InetSocketAddress newAddress) {
        return new ServiceConfig(directory, newAddress, journal, maxResponseTime, maxPending, maxConnections,
                maxSessions, outboxBytes, maxFrameLength, maxUnreadBytes, inputRingBytes, outputRingBytes, threading,
                waiting, pinning);
    }

    /** Returns a copy whose journal writes otherwise. */
    public ServiceConfig withJournal(JournalConfig newJournal) {
        return new ServiceConfig(directory, address, newJournal, maxResponseTime, maxPending, maxConnections,
                maxSessions, outboxBytes, maxFrameLength, maxUnreadBytes, inputRingBytes, outputRingBytes, threading,
                waiting, pinning);
    }

    /** Returns a copy with another bound on the time that an accepted command waits. */
    public ServiceConfig withMaxResponseTime(Duration time) {
        return new ServiceConfig(directory, address, journal, time, maxPending, maxConnections, maxSessions,
                outboxBytes, maxFrameLength, maxUnreadBytes, inputRingBytes, outputRingBytes, threading, waiting, pinning);
    }

    /** Returns a copy with another bound on the commands that wait. */
    public ServiceConfig withMaxPending(int pending) {
        return new ServiceConfig(directory, address, journal, maxResponseTime, pending, maxConnections, maxSessions,
                outboxBytes, maxFrameLength, maxUnreadBytes, inputRingBytes, outputRingBytes, threading, waiting, pinning);
    }

    /** Returns a copy with other bounds on connections and sessions, and on the outputs kept for each. */
    public ServiceConfig withClients(int connections, int sessions, int outbox) {
        return new ServiceConfig(directory, address, journal, maxResponseTime, maxPending, connections, sessions,
                outbox, maxFrameLength, maxUnreadBytes, inputRingBytes, outputRingBytes, threading, waiting, pinning);
    }

    /** Returns a copy with another bound on the length of a frame, header included; what is longer is refused. */
    public ServiceConfig withMaxFrameLength(int length) {
        return new ServiceConfig(directory, address, journal, maxResponseTime, maxPending, maxConnections, maxSessions,
                outboxBytes, length, maxUnreadBytes, inputRingBytes, outputRingBytes, threading, waiting, pinning);
    }

    /** Returns a copy with another bound on what a client may leave unread. */
    public ServiceConfig withMaxUnreadBytes(int bytes) {
        return new ServiceConfig(directory, address, journal, maxResponseTime, maxPending, maxConnections, maxSessions,
                outboxBytes, maxFrameLength, bytes, inputRingBytes, outputRingBytes, threading, waiting, pinning);
    }

    /** Returns a copy with rings of other sizes. */
    public ServiceConfig withRings(int inputBytes, int outputBytes) {
        return new ServiceConfig(directory, address, journal, maxResponseTime, maxPending, maxConnections, maxSessions,
                outboxBytes, maxFrameLength, maxUnreadBytes, inputBytes, outputBytes, threading, waiting, pinning);
    }

    /** Returns a copy that runs on another number of threads. */
    public ServiceConfig withThreading(Threading newThreading) {
        return new ServiceConfig(directory, address, journal, maxResponseTime, maxPending, maxConnections, maxSessions,
                outboxBytes, maxFrameLength, maxUnreadBytes, inputRingBytes, outputRingBytes, newThreading, waiting, pinning);
    }

    /** Returns a copy whose threads wait otherwise. */
    public ServiceConfig withWaiting(WaitStrategy newWaiting) {
        return new ServiceConfig(directory, address, journal, maxResponseTime, maxPending, maxConnections, maxSessions,
                outboxBytes, maxFrameLength, maxUnreadBytes, inputRingBytes, outputRingBytes, threading, newWaiting, pinning);
    }

    /** Returns a copy whose threads run where {@code plan} says, as far as the system allows it. */
    public ServiceConfig withPinning(PinPlan plan) {
        return new ServiceConfig(directory, address, journal, maxResponseTime, maxPending, maxConnections, maxSessions,
                outboxBytes, maxFrameLength, maxUnreadBytes, inputRingBytes, outputRingBytes, threading, waiting,
                Objects.requireNonNull(plan, "plan"));
    }

    GatewayLimits limits() {
        long allUnreadBytes = Math.max(maxUnreadBytes, Runtime.getRuntime().maxMemory() / 4);
        return new GatewayLimits(maxConnections, BACKLOG, maxFrameLength, maxUnreadBytes, allUnreadBytes,
                maxResponseTime.toNanos(), Math.min(MIN_PENDING, maxPending), maxPending);
    }

    private static void require(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + " must be from " + min + " to " + max + ", not " + value);
        }
    }
}
