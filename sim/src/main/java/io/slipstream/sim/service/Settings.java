package io.slipstream.sim.service;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.ServiceEvents;
import io.slipstream.service.ServiceLimits;
import io.slipstream.service.Threading;
import io.slipstream.service.snapshot.SnapshotPolicy;
import io.slipstream.sim.host.SimulatedHost;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;

/** How the service of one world is set up: in part for its whole life, in part anew for each start. */
final class Settings {
    private static final Path FOLDER = Path.of("simulated-service");
    private static final Duration MAX_RESPONSE = Duration.ofMillis(50);
    private static final int SMALLEST_SEGMENT_BYTES = 5 * 4096;
    private static final int FRAME_BYTES = 8192;
    private static final int UNREAD_BYTES = 1 << 19;
    /** Buffers are powers of two; while one grows there are two. */
    static final long MOST_BYTES_OF_A_CONNECTION = 4L * (UNREAD_BYTES + FRAME_BYTES);

    /** How long the machine may be in one entry before somebody is told. */
    static final long SLOW_ENTRY_NANOS = 2_000_000_000;

    private final SplittableRandom random;
    private final int connections;
    private final Durability durability;
    private final int segmentBytes;
    private final boolean isTrimmed;

    Settings(SplittableRandom random, SplittableRandom sizes, int clients) {
        this.random = random;
        // With room for thieves, for strangers, and for who has gone and was not missed yet.
        this.connections = Math.max(64, 2 * clients);
        this.durability = random.nextInt(3) == 0 ? Durability.PROCESS : Durability.SYNC;
        int someBytes = (5 + random.nextInt(random.nextBoolean() ? 4 : 24)) * 4096;
        // The smallest that take a whole frame, so that batches often continue in the next one.
        this.segmentBytes = sizes.nextInt(3) == 0 ? SMALLEST_SEGMENT_BYTES : someBytes;
        this.isTrimmed = random.nextBoolean();
    }

    /** Returns how long a command may wait that is accepted. */
    long maxResponseNanos() {
        return MAX_RESPONSE.toNanos();
    }

    /** Returns whether what was answered must survive a loss of power. */
    boolean isForced() {
        return durability == Durability.SYNC;
    }

    /** Chooses how the service runs from its next start on. */
    ServiceConfig next(SimulatedHost host) {
        return ServiceConfig.in(FOLDER)
                .withHost(host)
                .withEvents(ServiceEvents.ignored())
                .withLimits(limits -> limits.withMaxFrameLength(FRAME_BYTES))
                .withAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), World.PORT))
                .withJournal(journal(host))
                .withMaxResponseTime(MAX_RESPONSE)
                .withSlowEntryAfter(Duration.ofNanos(SLOW_ENTRY_NANOS))
                .withThreading(random.nextBoolean() ? Threading.ONE : Threading.TWO)
                .withLimits(this::limits)
                .withStateChecks(1L << random.nextInt(8))
                .withLimits(limits -> limits.withMaxPending(1 << random.nextInt(2, 12)))
                .withSnapshots(snapshots());
    }

    private ServiceLimits limits(ServiceLimits defaults) {
        return defaults.withClients(connections, connections + random.nextInt(64), 4096 << random.nextInt(6))
                .withRings(1 << 16 + random.nextInt(3), 1 << 19 + random.nextInt(2))
                .withMaxUnreadBytes(UNREAD_BYTES)
                .withFeedBytes(4096 << random.nextInt(4));
    }

    /** Returns how the log is read after the end. */
    ServiceConfig reading(SimulatedHost host) {
        return ServiceConfig.in(FOLDER)
                .withHost(host)
                .withEvents(ServiceEvents.ignored())
                .withLimits(limits -> limits.withMaxFrameLength(FRAME_BYTES))
                .withJournal(journal(host));
    }

    private JournalConfig journal(SimulatedHost host) {
        return JournalConfig.at(durability)
                .withSegmentBytes(segmentBytes)
                .withBatchBytes(4096 << random.nextInt(4))
                .withSpareSegments(random.nextInt(3))
                .withPreparedSegments(1 + random.nextInt(3))
                .withPrepareInBackground(false)
                .withClock(() -> Instant.ofEpochSecond(0, host.epochNanos()));
    }

    private SnapshotPolicy snapshots() {
        SnapshotPolicy policy = random.nextInt(3) == 0
                ? SnapshotPolicy.onDemand()
                : SnapshotPolicy.everyLogBytes(4096L << random.nextInt(6))
                        .withInterval(Duration.ofMillis(100L << random.nextInt(6)));
        return isTrimmed ? policy.withLogKept(Duration.ZERO) : policy;
    }
}
