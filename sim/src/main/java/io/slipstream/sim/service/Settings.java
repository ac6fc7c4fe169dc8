package io.slipstream.sim.service;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.config.WriteMode;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.ServiceEvents;
import io.slipstream.service.ServiceLimits;
import io.slipstream.service.Threading;
import io.slipstream.service.snapshot.SnapshotPolicy;
import io.slipstream.service.spi.Protocol;
import io.slipstream.sim.host.SimulatedHost;
import io.slipstream.sim.network.SimulatedNetwork;
import io.slipstream.sim.world.Principals;
import io.slipstream.sim.world.Schedule;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * How the service of one world is set up: in part for its whole life, in part anew for each start. What the user wants
 * otherwise is changed on top of it.
 */
final class Settings {
    private static final Path FOLDER = Path.of("simulated-service");
    private static final Duration MAX_RESPONSE = Duration.ofMillis(50);
    private static final int SMALLEST_SEGMENT_BYTES = 5 * 4096;
    private static final int FRAME_BYTES = 8192;
    private static final int MOST_GATEWAYS = 3;
    private static final int UNREAD_BYTES = 1 << 19;
    private static final Duration SLOW_ENTRY = Duration.ofSeconds(2);
    private static final WriteMode[] WRITE_MODES = WriteMode.values();

    private final SplittableRandom random;
    private final SplittableRandom sizes;
    private final SplittableRandom writes;
    private final UnaryOperator<ServiceConfig> change;
    private final @Nullable Principals principals;
    private final @Nullable Supplier<? extends Protocol> protocol;
    private final int connections;
    private final Durability durability;
    private final int segmentBytes;
    private final boolean isTrimmed;
    private @Nullable ServiceConfig present;
    private int leastOutboxBytes = Integer.MAX_VALUE;

    /**
     * Creates the settings of one world.
     *
     * @param random chance of most of them
     * @param sizes  of segments and of threads
     * @param writes of how the journal writes
     * @param principals who gets in; null if everybody does
     * @param protocol that is spoken beside the native one, for each start; null for none
     */
    Settings(
            SplittableRandom random,
            SplittableRandom sizes,
            SplittableRandom writes,
            int clients,
            @Nullable Principals principals,
            @Nullable Supplier<? extends Protocol> protocol,
            UnaryOperator<ServiceConfig> change) {
        this.principals = principals;
        this.protocol = protocol;
        this.random = random;
        this.sizes = sizes;
        this.writes = writes;
        this.change = change;
        // With room for thieves, for strangers, and for who has gone and was not missed yet.
        this.connections = Math.max(64, 2 * clients);
        this.durability = random.nextInt(3) == 0 ? unforced(writes) : Durability.SYNC;
        int someBytes = (5 + random.nextInt(random.nextBoolean() ? 4 : 24)) * 4096;
        // The smallest that take a whole frame, so that batches often continue in the next one.
        this.segmentBytes = sizes.nextInt(3) == 0 ? SMALLEST_SEGMENT_BYTES : someBytes;
        this.isTrimmed = random.nextBoolean();
    }

    /**
     * Checks a change that a user wants.
     *
     * @throws IllegalArgumentException if it changes what the simulation itself must set
     */
    static void requireAllowed(UnaryOperator<ServiceConfig> change, int clients) {
        Schedule schedule = new Schedule(0);
        SplittableRandom any = new SplittableRandom(0);
        ServiceConfig ignored = new Settings(any, any, any, clients, null, null, change)
                .next(new SimulatedHost(schedule, new SimulatedNetwork(schedule), "service"));
    }

    /** Returns how long a command may wait that is accepted. */
    long maxResponseNanos() {
        return present().maxResponseTime().toNanos();
    }

    /** Returns how long the machine may be in one entry before somebody is told. */
    long slowEntryNanos() {
        return present().slowEntryAfter().toNanos();
    }

    /** Returns how much memory a connection may hold: buffers are powers of two, and while one grows there are two. */
    long mostBytesOfAConnection() {
        ServiceLimits limits = present().limits();
        return 4L * (limits.maxUnreadBytes() + limits.maxFrameLength());
    }

    /** Returns how many bytes of outputs each session was always kept. */
    int leastOutboxBytes() {
        return leastOutboxBytes;
    }

    /** Returns how many sessions the service remembers. */
    int mostSessions() {
        return present().limits().maxSessions();
    }

    /** Returns whether what was answered must survive a loss of power. */
    boolean isForced() {
        return present().journal().durability() == Durability.SYNC;
    }

    /** Returns whether what was answered must survive that the process is killed. */
    boolean isWritten() {
        return present().journal().durability() != Durability.NONE;
    }

    /** Chooses how the service runs from its next start on. */
    ServiceConfig next(SimulatedHost host) {
        ServiceConfig chosen = ServiceConfig.in(FOLDER)
                .withHost(host)
                .withEvents(ServiceEvents.ignored())
                .withLimits(limits -> limits.withMaxFrameLength(FRAME_BYTES))
                .withAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), World.PORT))
                .withJournal(journal(host))
                .withMaxResponseTime(MAX_RESPONSE)
                .withSlowEntryAfter(SLOW_ENTRY)
                .withThreading(threading())
                .withGatewayThreads(1 + sizes.nextInt(MOST_GATEWAYS))
                .withLimits(this::limits)
                .withStateChecks(1L << random.nextInt(8))
                .withLimits(limits -> limits.withMaxPending(1 << random.nextInt(2, 12)))
                .withSnapshots(snapshots());
        if (principals != null) {
            chosen = chosen.withAuthenticator(principals);
        }
        if (protocol != null) {
            chosen = chosen.withProtocol(
                    protocol.get(), new InetSocketAddress(InetAddress.getLoopbackAddress(), World.GUEST_PORT));
        }
        ServiceConfig changed = changed(chosen);
        present = changed;
        leastOutboxBytes = Math.min(leastOutboxBytes, changed.limits().outboxBytes());
        return changed;
    }

    private ServiceConfig present() {
        return Objects.requireNonNull(present, "nothing was started yet");
    }

    /** Lets the user change what was chosen, but for what the simulation cannot do without. */
    private ServiceConfig changed(ServiceConfig chosen) {
        ServiceConfig changed = Objects.requireNonNull(change.apply(chosen), "the changed configuration");
        requireOwn("host", chosen.host(), changed.host());
        requireOwn("directory", chosen.directory(), changed.directory());
        requireOwn("address", chosen.address(), changed.address());
        requireOwn("protocol", chosen.protocols(), changed.protocols());
        requireOwn("sharedMemory", chosen.sharedMemory(), changed.sharedMemory());
        requireOwn("events", chosen.events(), changed.events());
        requireOwn("logGate", chosen.logGate(), changed.logGate());
        requireOwn("authenticator", chosen.authenticator(), changed.authenticator());
        requireOwn("tls", chosen.tls(), changed.tls());
        requireOwn("warmUp", chosen.warmUp(), changed.warmUp());
        requireOwn("maxClockLeap", chosen.maxClockLeap(), changed.maxClockLeap());
        requireRoom("maxConnections", changed.limits().maxConnections());
        requireRoom("maxSessions", changed.limits().maxSessions());
        JournalConfig journal = changed.journal();
        InstantSource clock = chosen.journal().clock();
        if (!journal.clock().equals(InstantSource.system())) {
            requireOwn("journal.clock", clock, journal.clock());
        }
        if (changed.threading() != Threading.THREE && changed.gatewayThreads() == chosen.gatewayThreads()) {
            // Of fewer threads there is one for all connections.
            changed = changed.withGatewayThreads(1);
        }
        return changed.withJournal(journal.withClock(clock).withPrepareInBackground(false));
    }

    private static void requireOwn(String name, @Nullable Object chosen, @Nullable Object changed) {
        if (!Objects.equals(chosen, changed)) {
            throw refused(name, "the simulation sets that itself");
        }
    }

    private void requireRoom(String name, int room) {
        if (room < connections) {
            throw refused("limits." + name + " " + room, "the simulation needs " + connections);
        }
    }

    private static IllegalArgumentException refused(String what, String why) {
        return new IllegalArgumentException("configured(...) cannot set " + what + ": " + why);
    }

    private static Durability unforced(SplittableRandom random) {
        return random.nextInt(3) == 0 ? Durability.NONE : Durability.PROCESS;
    }

    private Threading threading() {
        Threading few = random.nextBoolean() ? Threading.ONE : Threading.TWO;
        return sizes.nextBoolean() ? Threading.THREE : few;
    }

    private ServiceLimits limits(ServiceLimits defaults) {
        return defaults.withClients(connections, connections + random.nextInt(64), 4096 << random.nextInt(6))
                .withRings(1 << 16 + random.nextInt(3), 1 << 19 + random.nextInt(2))
                .withMaxUnreadBytes(UNREAD_BYTES)
                .withFeedBytes(4096 << random.nextInt(4));
    }

    /** Returns how the log is read after the end. */
    ServiceConfig reading(SimulatedHost host) {
        ServiceConfig last = present();
        ServiceConfig chosen = ServiceConfig.in(FOLDER)
                .withHost(host)
                .withEvents(ServiceEvents.ignored())
                .withLimits(
                        limits -> limits.withMaxFrameLength(FRAME_BYTES).withClients(connections, connections, 4096))
                .withJournal(journal(host));
        return chosen.withJournal(changed(chosen).journal())
                .withLimits(limits -> limits.withMaxFrameLength(last.limits().maxFrameLength()));
    }

    private JournalConfig journal(SimulatedHost host) {
        return writing(JournalConfig.at(durability)
                .withSegmentBytes(segmentBytes)
                .withBatchBytes(4096 << random.nextInt(4))
                .withSpareSegments(random.nextInt(3))
                .withPreparedSegments(1 + random.nextInt(3))
                .withPrepareInBackground(false)
                .withClock(() -> Instant.ofEpochSecond(0, host.epochNanos())));
    }

    /** Chooses how it writes; what does not go together is chosen again. */
    private JournalConfig writing(JournalConfig config) {
        while (true) {
            try {
                return config.withWriteMode(WRITE_MODES[writes.nextInt(WRITE_MODES.length)])
                        .withBlockBytes(
                                writes.nextInt(3) == 0 ? JournalConfig.MIN_BLOCK_BYTES : JournalConfig.BLOCK_BYTES);
            } catch (IllegalArgumentException e) {
                // Small blocks past the page cache.
            }
        }
    }

    private SnapshotPolicy snapshots() {
        SnapshotPolicy policy = random.nextInt(3) == 0
                ? SnapshotPolicy.onDemand()
                : SnapshotPolicy.everyLogBytes(4096L << random.nextInt(6))
                        .withInterval(Duration.ofMillis(100L << random.nextInt(6)));
        return isTrimmed ? policy.withLogKept(Duration.ZERO) : policy;
    }
}
