package io.slipstream.sim.pair;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.config.WriteMode;
import io.slipstream.replica.primary.PushLevel;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.ServiceEvents;
import io.slipstream.service.Threading;
import io.slipstream.service.snapshot.SnapshotPolicy;
import io.slipstream.sim.host.SimulatedHost;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;

/** How two sites are set up: in part for their whole life, in part anew for each start. */
final class PairSettings {
    static final Path FOLDER = Path.of("simulated-site");
    static final int PRIMARY_PORT = 7000;
    static final int BACKUP_PORT = 7001;
    static final int SITE_PORT = 7002;
    static final InetSocketAddress SITE = new InetSocketAddress(InetAddress.getLoopbackAddress(), SITE_PORT);
    static final String TOKEN = "known to both";

    private static final int FRAME_BYTES = 8192;
    private static final int MOST_CONNECTIONS = 16;

    private final SplittableRandom random;
    private final PushLevel level;
    private final int segmentBytes;
    private final boolean isTrimmed;

    PairSettings(SplittableRandom random) {
        this.random = random;
        this.level = random.nextInt(4) == 0 ? PushLevel.ASYNC : PushLevel.BACKUP;
        this.segmentBytes = (5 + random.nextInt(24)) * 4096;
        this.isTrimmed = random.nextBoolean();
    }

    PushLevel level() {
        return level;
    }

    /** Chooses how a site runs from its next start on. */
    ServiceConfig next(SimulatedHost host, int port) {
        return reading(host)
                .withAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .withMaxResponseTime(Duration.ofMillis(50))
                .withThreading(Threading.values()[random.nextInt(Threading.values().length)])
                .withSnapshots(snapshots());
    }

    /** Returns how the log is read by who does not serve. */
    ServiceConfig reading(SimulatedHost host) {
        return ServiceConfig.in(FOLDER)
                .withHost(host)
                .withEvents(ServiceEvents.ignored())
                .withLimits(limits -> limits.withMaxFrameLength(FRAME_BYTES)
                        .withClients(MOST_CONNECTIONS, MOST_CONNECTIONS, 1 << 14)
                        .withRings(1 << 16, 1 << 19)
                        .withMaxUnreadBytes(1 << 19)
                        .withFeedBytes(1 << 12))
                .withJournal(journal(host));
    }

    /** Returns how the journal of a site is opened. */
    JournalConfig journal(SimulatedHost host) {
        return JournalConfig.at(Durability.SYNC)
                .withSegmentBytes(segmentBytes)
                .withBatchBytes(4096 << random.nextInt(4))
                .withSpareSegments(random.nextInt(3))
                .withPreparedSegments(1 + random.nextInt(3))
                .withPrepareInBackground(false)
                .withWriteMode(WriteMode.BUFFERED)
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
