package io.slipstream.cluster.engine;

import io.aeron.Aeron;
import io.aeron.AeronCounters;
import io.aeron.RethrowingErrorHandler;
import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.client.AeronArchive;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NoOpLock;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.YieldingIdleStrategy;

/** Aeron's media driver and archive of one member: its network, and what it keeps on disk. */
final class LogStore implements AutoCloseable {
    /* How long a thread of the member may stand still before its others take it for dead, and the member ends. They are
    all of one process, whose death nobody has to infer, and a device may hold one up for more than a minute. */
    static final long STALL_NANOS = 180_000_000_000L;

    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final long FIXED_SHARED_BYTES = 16L << 20;

    private final ClusterConfig config;
    private final Path directory;
    private final DriverFolder folder;
    private final String aeronDirectory;
    private final ErrorHandler errors;
    private final EpochClock epochClock;
    private final ThreadFactory threads;
    private final AeronArchive.Context archiveClient;
    private final MediaDriver driver;
    private final Archive archive;

    /**
     * Starts them.
     *
     * @param directory of what the member keeps, which nobody else uses
     * @param host      tells the time; it must neither leap nor stand still, as all timeouts count on it
     * @param errors    hears what Aeron reports
     * @param onDeath   is called with what a thread has died of
     */
    LogStore(ClusterConfig config, Path directory, Host host, ErrorHandler errors, Consumer<Throwable> onDeath)
            throws IOException {
        this.config = config;
        this.directory = directory;
        this.errors = errors;
        this.epochClock = () -> host.epochNanos() / 1_000_000;
        this.threads = work -> {
            Thread thread = new Thread(work);
            thread.setUncaughtExceptionHandler((of, cause) -> onDeath.accept(cause));
            return thread;
        };
        forgetFormerLife(directory);
        this.folder = DriverFolder.choose(SHARED_MEMORY, sharedBytes(config), directory);
        this.aeronDirectory = folder.path().toString();
        MediaDriver.Context driverContext = driverContext();
        Archive.Context archiveContext = archiveContext();
        this.archiveClient = new AeronArchive.Context()
                .aeronDirectoryName(aeronDirectory)
                .lock(NoOpLock.INSTANCE)
                .controlRequestChannel(archiveContext.localControlChannel())
                .controlRequestStreamId(archiveContext.localControlStreamId())
                .controlResponseChannel(archiveContext.localControlChannel());
        MediaDriver startedDriver = null;
        try {
            startedDriver = MediaDriver.launch(driverContext);
            this.archive = TornTail.launch(this::connectedArchiveContext);
        } catch (RuntimeException | Error e) {
            CloseHelper.quietCloseAll(startedDriver, folder);
            throw e;
        }
        this.driver = startedDriver;
    }

    /** Both ways of the log and of commands, each of three terms, and what they replace while leaders change. */
    private static long sharedBytes(ClusterConfig config) {
        return 9L * config.termBytes() + FIXED_SHARED_BYTES;
    }

    /** Marks of a process that was killed would keep this one waiting until they are old. */
    private static void forgetFormerLife(Path directory) throws IOException {
        for (String part : new String[] {"archive", "cluster"}) {
            Path folder = directory.resolve(part);
            if (Files.isDirectory(folder)) {
                try (Stream<Path> files = Files.list(folder)) {
                    for (Path file : files.filter(LogStore::isMark).toList()) {
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
        if (config.bind() != null) {
            context.nameResolver(new OwnAddress(config.members(), config.id(), config.listensOn()));
        }
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

    private Archive.Context archiveContext() {
        MemberAddress own = config.members().get(config.id());
        return new Archive.Context()
                .aeronDirectoryName(aeronDirectory)
                .epochClock(epochClock)
                .archiveDir(folder("archive"))
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
    private Archive.Context connectedArchiveContext() {
        Aeron aeron = Aeron.connect(invoked());
        return archiveContext()
                .aeron(aeron)
                .ownsAeronClient(true)
                .errorCounter(aeron.addCounter(AeronCounters.ARCHIVE_ERROR_COUNT_TYPE_ID, "Archive Errors"));
    }

    /** Returns a folder of that name within the one of the member. */
    File folder(String name) {
        return directory.resolve(name).toFile();
    }

    /** Returns how a thread of the member waits for work. */
    IdleStrategy idle() {
        IdleStrategy strategy = new BackoffIdleStrategy(1, 1, 1_000, 200_000);
        Disturbance disturbance = config.disturbance();
        return disturbance == Disturbance.NONE ? strategy : new DisturbedIdle(strategy, disturbance::round);
    }

    private IdleStrategy diskIdle() {
        Disturbance disturbance = config.disturbance();
        return disturbance == Disturbance.NONE ? idle() : new DisturbedIdle(idle(), disturbance::diskRound);
    }

    /** Returns what connects an archive or a consensus module to the driver: its own thread runs the client, too. */
    Aeron.Context invoked() {
        return ofPart().useConductorAgentInvoker(true).clientLock(NoOpLock.INSTANCE);
    }

    /** Returns what connects a part of the member that runs on a thread of its own. */
    Aeron.Context ofPart() {
        return client().subscriberErrorHandler(RethrowingErrorHandler.INSTANCE)
                .awaitingIdleStrategy(YieldingIdleStrategy.INSTANCE);
    }

    /** Returns what connects to the driver of this member. */
    Aeron.Context client() {
        return new Aeron.Context()
                .driverTimeoutMs(STALL_NANOS / 1_000_000)
                .aeronDirectoryName(aeronDirectory)
                .epochClock(epochClock)
                .errorHandler(errors);
    }

    /** Connects to the archive of this member; whoever does closes it, before the engine. */
    AeronArchive connectArchive() {
        return AeronArchive.connect(
                archiveClient().aeron(Aeron.connect(client())).ownsAeronClient(true));
    }

    /** Returns how parts of the member reach its archive. */
    AeronArchive.Context archiveClient() {
        return archiveClient.clone();
    }

    /** Returns where the driver has its files. */
    String aeronDirectory() {
        return aeronDirectory;
    }

    /** Returns the time of the member in milliseconds since 1970. */
    EpochClock epochClock() {
        return epochClock;
    }

    /** Returns what makes the threads of the member. */
    ThreadFactory threads() {
        return threads;
    }

    /** Ends both, and removes what the driver had in shared memory. */
    @Override
    public void close() {
        CloseHelper.closeAll(errors, archive, driver, folder);
    }
}
