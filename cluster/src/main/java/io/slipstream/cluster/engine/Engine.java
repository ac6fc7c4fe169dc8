package io.slipstream.cluster.engine;

import io.aeron.Aeron;
import io.aeron.AeronCounters;
import io.aeron.CommonContext;
import io.aeron.RethrowingErrorHandler;
import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.client.AeronArchive;
import io.aeron.cluster.ClusterControl;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.ElectionState;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.cluster.service.ClusteredServiceContainer;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.driver.ext.DebugReceiveChannelEndpoint;
import io.aeron.driver.ext.DebugSendChannelEndpoint;
import io.aeron.driver.ext.LossGenerator;
import io.slipstream.cluster.config.ClusterConfig;
import io.slipstream.cluster.config.Disturbance;
import io.slipstream.cluster.config.MemberAddress;
import io.slipstream.service.host.Host;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.agrona.IoUtil;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NoOpLock;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.agrona.concurrent.status.AtomicCounter;
import org.jspecify.annotations.Nullable;

/** Aeron's media driver, archive, consensus module and service container of one member. */
public final class Engine implements AutoCloseable {
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final long DEAD_MILLIS = 10_000;

    /* How long a thread of the member may stand still before its others take it for dead, and the member ends. They are
    all of one process, whose death nobody has to infer, and a machine that is busy may hold one up for long. */
    private static final long STALL_NANOS = 60_000_000_000L;
    private static final int SNAPSHOT_TERM_BYTES = 1 << 20;

    private final ClusterConfig config;
    private final String aeronDirectory;
    private final ErrorHandler errors;
    private final LogClock clock;
    private final EpochClock epochClock;
    private final ThreadFactory threads;
    private final AeronArchive.Context archiveClient;
    private final MediaDriver driver;
    private final Archive archive;
    private final ConsensusModule module;
    private final ClusteredServiceContainer container;

    /**
     * Starts them all; the member takes part in elections when this returns.
     *
     * @param directory    of what the member keeps, which nobody else uses
     * @param service      applies the log
     * @param host         tells the time; it must neither leap nor stand still, as all timeouts count on it
     * @param errors       hears what Aeron reports
     * @param onTerminated is called when Aeron has ended the member by itself: with what a thread has died of, or null
     */
    public Engine(
            ClusterConfig config,
            Path directory,
            ClusteredService service,
            Host host,
            ErrorHandler errors,
            Consumer<@Nullable Throwable> onTerminated)
            throws IOException {
        this.config = config;
        this.errors = errors;
        this.clock = new LogClock(host);
        this.epochClock = () -> host.epochNanos() / 1_000_000;
        this.threads = work -> {
            Thread thread = new Thread(work);
            thread.setUncaughtExceptionHandler((of, cause) -> onTerminated.accept(cause));
            return thread;
        };
        this.aeronDirectory = aeronDirectory(directory).toString();
        forgetFormerLife(directory);
        MediaDriver.Context driverContext = driverContext();
        Archive.Context archiveContext = archiveContext(directory);
        this.archiveClient = new AeronArchive.Context()
                .aeronDirectoryName(aeronDirectory)
                .lock(NoOpLock.INSTANCE)
                .controlRequestChannel(archiveContext.localControlChannel())
                .controlRequestStreamId(archiveContext.localControlStreamId())
                .controlResponseChannel(archiveContext.localControlChannel());
        MediaDriver startedDriver = null;
        Archive startedArchive = null;
        ConsensusModule startedModule = null;
        try {
            startedDriver = MediaDriver.launch(driverContext);
            startedArchive = TornTail.launch(() -> connectedArchiveContext(directory));
            startedModule =
                    ConsensusModule.launch(moduleContext(directory).terminationHook(() -> onTerminated.accept(null)));
            this.container = ClusteredServiceContainer.launch(
                    containerContext(directory, service).terminationHook(() -> onTerminated.accept(null)));
        } catch (RuntimeException | Error e) {
            CloseHelper.quietCloseAll(startedModule, startedArchive, startedDriver);
            throw e;
        }
        this.driver = startedDriver;
        this.archive = startedArchive;
        this.module = startedModule;
    }

    /**
     * The driver's folder is the same at each start, so that what a killed process has left is used again, and that of
     * no other member: not even one whose folder has the same path, in another container with the same shared memory.
     */
    private static Path aeronDirectory(Path directory) throws IOException {
        if (!Files.isWritable(SHARED_MEMORY)) {
            return directory.resolve("driver");
        }
        String ofPath = "slipstream-cluster-" + digest(directory.toRealPath().toString()) + "-";
        Object key = Files.readAttributes(directory, BasicFileAttributes.class).fileKey();
        Path own = SHARED_MEMORY.resolve(ofPath + digest(String.valueOf(key)));
        try (DirectoryStream<Path> others = Files.newDirectoryStream(SHARED_MEMORY, ofPath + "*")) {
            for (Path other : others) {
                // Of a folder that was at this path before, unless somebody uses it.
                if (!other.equals(own) && !CommonContext.isDriverActive(other.toFile(), DEAD_MILLIS, _ -> {})) {
                    IoUtil.delete(other.toFile(), true);
                }
            }
        }
        return own;
    }

    private static String digest(String text) {
        try {
            byte[] sum = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(sum, 0, 12);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("each JDK has SHA-256", e);
        }
    }

    /** Marks of a process that was killed would keep this one waiting until they are old. */
    private static void forgetFormerLife(Path directory) throws IOException {
        for (String part : new String[] {"archive", "cluster"}) {
            Path folder = directory.resolve(part);
            if (Files.isDirectory(folder)) {
                try (Stream<Path> files = Files.list(folder)) {
                    for (Path file : files.filter(Engine::isMark).toList()) {
                        Files.deleteIfExists(file);
                    }
                }
            }
        }
    }

    private static boolean isMark(Path file) {
        String name = file.getFileName().toString();
        return name.equals("archive-mark.dat") || name.startsWith("cluster-mark");
    }

    private MediaDriver.Context driverContext() {
        MediaDriver.Context context = new MediaDriver.Context()
                .aeronDirectoryName(aeronDirectory)
                .epochClock(epochClock)
                .clientLivenessTimeoutNs(STALL_NANOS)
                // What a client has claimed and not published is given up after it, not before.
                .publicationUnblockTimeoutNs(3 * STALL_NANOS / 2)
                .dirDeleteOnStart(true)
                .dirDeleteOnShutdown(true)
                .threadingMode(ThreadingMode.SHARED)
                .sharedIdleStrategy(idle())
                .sharedThreadFactory(threads)
                .termBufferSparseFile(true)
                .publicationTermBufferLength(1 << 16)
                .ipcTermBufferLength(1 << 16)
                .errorHandler(errors)
                .warnIfDirectoryExists(false);
        Disturbance disturbance = config.disturbance();
        if (disturbance != Disturbance.NONE) {
            LossGenerator sent = loss(disturbance, true);
            LossGenerator received = loss(disturbance, false);
            context.sendChannelEndpointSupplier(
                    (channel, indicator, of) -> new DebugSendChannelEndpoint(channel, indicator, of, sent, received));
            context.receiveChannelEndpointSupplier((channel, dispatcher, indicator, of) ->
                    new DebugReceiveChannelEndpoint(channel, dispatcher, indicator, of, received, sent));
        }
        return context;
    }

    private static LossGenerator loss(Disturbance disturbance, boolean ofSent) {
        return new LossGenerator() {
            @Override
            public boolean shouldDropFrame(InetSocketAddress address, UnsafeBuffer buffer, int length) {
                return ofSent ? disturbance.isMute() : disturbance.isDeaf();
            }

            @Override
            public boolean shouldDropFrame(
                    InetSocketAddress address,
                    UnsafeBuffer buffer,
                    int streamId,
                    int sessionId,
                    int termId,
                    int termOffset,
                    int length) {
                return ofSent ? disturbance.isMute() : disturbance.isDeaf();
            }
        };
    }

    private Archive.Context archiveContext(Path directory) {
        MemberAddress own = config.members().get(config.id());
        return new Archive.Context()
                .aeronDirectoryName(aeronDirectory)
                .epochClock(epochClock)
                .archiveDir(folder(directory, "archive"))
                .controlChannel(Channels.at(own.archive()))
                .localControlChannel("aeron:ipc?term-length=64k")
                .replicationChannel(Channels.anyPort(own))
                .archiveClientContext(new AeronArchive.Context().controlResponseChannel(Channels.anyPort(own)))
                .recordingEventsEnabled(false)
                .segmentFileLength(config.segmentBytes())
                .recordChecksum(new RecordSum())
                .lowStorageSpaceThreshold(2L * config.segmentBytes())
                .fileSyncLevel(config.forced() ? 1 : 0)
                .catalogFileSyncLevel(config.forced() ? 1 : 0)
                .threadingMode(ArchiveThreadingMode.SHARED)
                .idleStrategySupplier(this::diskIdle)
                .threadFactory(threads)
                .errorHandler(errors);
    }

    /** The driver must run. */
    private Archive.Context connectedArchiveContext(Path directory) {
        Aeron aeron = Aeron.connect(invoked());
        return archiveContext(directory)
                .aeron(aeron)
                .ownsAeronClient(true)
                .errorCounter(aeron.addCounter(AeronCounters.ARCHIVE_ERROR_COUNT_TYPE_ID, "Archive Errors"));
    }

    private ConsensusModule.Context moduleContext(Path directory) {
        MemberAddress own = config.members().get(config.id());
        long timeout = config.leaderTimeout().toNanos();
        Aeron aeron = Aeron.connect(invoked());
        return new ConsensusModule.Context()
                .aeron(aeron)
                .ownsAeronClient(true)
                .errorCounter(
                        aeron.addCounter(AeronCounters.CLUSTER_CONSENSUS_MODULE_ERROR_COUNT_TYPE_ID, "Cluster Errors"))
                .aeronDirectoryName(aeronDirectory)
                .clusterMemberId(config.id())
                .clusterMembers(Channels.members(config.members()))
                .clusterDir(folder(directory, "cluster"))
                .ingressChannel(Channels.udp(config))
                .logChannel(Channels.udp(config))
                .replicationChannel(Channels.anyPort(own))
                .snapshotChannel("aeron:ipc?term-length=" + SNAPSHOT_TERM_BYTES)
                .archiveContext(archiveClient.clone())
                .serviceCount(1)
                .maxConcurrentSessions(64)
                .clusterClock(clock)
                .epochClock(epochClock)
                .fileSyncLevel(config.forced() ? 1 : 0)
                .leaderHeartbeatTimeoutNs(timeout)
                .leaderHeartbeatIntervalNs(timeout / 10)
                .electionTimeoutNs(timeout / 4)
                .electionStatusIntervalNs(timeout / 40)
                .startupCanvassTimeoutNs(4 * timeout)
                .terminationTimeoutNs(TimeUnit.SECONDS.toNanos(2))
                .threadFactory(threads)
                .idleStrategySupplier(this::idle)
                .errorHandler(errors);
    }

    private ClusteredServiceContainer.Context containerContext(Path directory, ClusteredService service) {
        return new ClusteredServiceContainer.Context()
                .aeron(Aeron.connect(ofPart()))
                .ownsAeronClient(true)
                .aeronDirectoryName(aeronDirectory)
                .archiveContext(archiveClient.clone())
                .epochClock(epochClock)
                .clusterDir(folder(directory, "cluster"))
                .clusteredService(service)
                .snapshotChannel("aeron:ipc?term-length=" + SNAPSHOT_TERM_BYTES)
                .serviceId(0)
                .threadFactory(threads)
                .idleStrategySupplier(this::idle)
                .errorHandler(errors);
    }

    private static File folder(Path directory, String name) {
        return directory.resolve(name).toFile();
    }

    private IdleStrategy idle() {
        IdleStrategy strategy = new BackoffIdleStrategy(1, 1, 1_000, 200_000);
        Disturbance disturbance = config.disturbance();
        return disturbance == Disturbance.NONE ? strategy : new DisturbedIdle(strategy, disturbance::round);
    }

    private IdleStrategy diskIdle() {
        Disturbance disturbance = config.disturbance();
        return disturbance == Disturbance.NONE ? idle() : new DisturbedIdle(idle(), disturbance::diskRound);
    }

    /** Returns what connects an archive or a consensus module to the driver: its own thread runs the client, too. */
    private Aeron.Context invoked() {
        return ofPart().useConductorAgentInvoker(true).clientLock(NoOpLock.INSTANCE);
    }

    private Aeron.Context ofPart() {
        return client().subscriberErrorHandler(RethrowingErrorHandler.INSTANCE)
                .awaitingIdleStrategy(YieldingIdleStrategy.INSTANCE);
    }

    /** Returns what connects to the driver of this member. */
    public Aeron.Context client() {
        return new Aeron.Context()
                .driverTimeoutMs(STALL_NANOS / 1_000_000)
                .aeronDirectoryName(aeronDirectory)
                .epochClock(epochClock)
                .errorHandler(errors);
    }

    /** Connects to the archive of this member; whoever does closes it, before the engine. */
    AeronArchive connectArchive() {
        return AeronArchive.connect(
                archiveClient.clone().aeron(Aeron.connect(client())).ownsAeronClient(true));
    }

    /** Returns whether this member is the leader, and nothing is to be agreed on any more; any thread may ask. */
    public boolean isLeader() {
        ConsensusModule.Context context = module.context();
        return Cluster.Role.get(context.clusterNodeRoleCounter()) == Cluster.Role.LEADER && isSettled();
    }

    /** Returns whether there is no election; any thread may ask. */
    public boolean isSettled() {
        return ElectionState.get(module.context().electionStateCounter()) == ElectionState.CLOSED;
    }

    /** Returns how far the log is committed, in bytes; any thread may ask. */
    public long commitPosition() {
        return module.context().commitPositionCounter().get();
    }

    /** Returns how many snapshots the cluster has taken since this member started; any thread may ask. */
    public long snapshots() {
        return module.context().snapshotCounter().get();
    }

    /** Asks for a snapshot at all members; returns whether this member could, as the leader that is not busy. */
    public boolean takeSnapshot() {
        AtomicCounter toggle = ClusterControl.findControlToggle(
                driver.context().countersManager(), module.context().clusterId());
        return isLeader() && toggle != null && ClusterControl.ToggleState.SNAPSHOT.toggle(toggle);
    }

    /** Ends all of it, without a word to the others. */
    @Override
    public void close() {
        CloseHelper.closeAll(errors, module, container, archive, driver);
    }
}
