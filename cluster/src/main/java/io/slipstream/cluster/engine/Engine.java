package io.slipstream.cluster.engine;

import io.aeron.Aeron;
import io.aeron.AeronCounters;
import io.aeron.archive.client.AeronArchive;
import io.aeron.cluster.ClusterControl;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.ElectionState;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.cluster.service.ClusteredServiceContainer;
import io.slipstream.cluster.config.ClusterConfig;
import io.slipstream.cluster.config.MemberAddress;
import io.slipstream.service.host.Host;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.jspecify.annotations.Nullable;

/** Aeron's media driver, archive, consensus module and service container of one member. */
public final class Engine implements AutoCloseable {
    private static final int SNAPSHOT_TERM_BYTES = 1 << 20;

    private final ClusterConfig config;
    private final ErrorHandler errors;
    private final LogClock clock;
    private final LogStore store;
    private final EngineCounters counters;
    private final ConsensusModule module;
    private final ClusteredServiceContainer container;
    private final int role;
    private final int election;
    private final int committed;
    private final int taken;
    private final int term;
    private final int elections;
    private final int toggle;

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
        this.store = new LogStore(config, directory, host, errors, onTerminated::accept);
        ConsensusModule startedModule = null;
        try {
            this.counters = new EngineCounters(Path.of(store.aeronDirectory()));
            startedModule = ConsensusModule.launch(moduleContext().terminationHook(() -> onTerminated.accept(null)));
            ConsensusModule.Context context = startedModule.context();
            this.role = context.clusterNodeRoleCounter().id();
            this.election = context.electionStateCounter().id();
            this.committed = context.commitPositionCounter().id();
            this.taken = context.snapshotCounter().id();
            this.term = context.leadershipTermIdCounter().id();
            this.elections = context.electionCounter().id();
            this.toggle = context.controlToggleCounter().id();
            this.container = ClusteredServiceContainer.launch(
                    containerContext(service).terminationHook(() -> onTerminated.accept(null)));
        } catch (IOException | RuntimeException | Error e) {
            CloseHelper.quietCloseAll(startedModule, store);
            throw e;
        }
        this.module = startedModule;
    }

    private ConsensusModule.Context moduleContext() {
        MemberAddress own = config.members().get(config.id());
        long timeout = config.leaderTimeout().toNanos();
        Aeron aeron = Aeron.connect(store.invoked());
        return new ConsensusModule.Context()
                .aeron(aeron)
                .ownsAeronClient(true)
                .errorCounter(
                        aeron.addCounter(AeronCounters.CLUSTER_CONSENSUS_MODULE_ERROR_COUNT_TYPE_ID, "Cluster Errors"))
                .aeronDirectoryName(store.aeronDirectory())
                .clusterMemberId(config.id())
                .clusterMembers(Channels.members(config.members()))
                .clusterDir(store.folder("cluster"))
                .ingressChannel(Channels.udp(config))
                .logChannel(Channels.udp(config))
                .replicationChannel(Channels.anyPort(own))
                .snapshotChannel("aeron:ipc?term-length=" + SNAPSHOT_TERM_BYTES)
                .archiveContext(store.archiveClient())
                .serviceCount(1)
                .maxConcurrentSessions(64)
                .clusterClock(clock)
                .epochClock(store.epochClock())
                .fileSyncLevel(config.forced() ? 1 : 0)
                .leaderHeartbeatTimeoutNs(timeout)
                .leaderHeartbeatIntervalNs(timeout / 10)
                .electionTimeoutNs(timeout / 4)
                .electionStatusIntervalNs(timeout / 40)
                .startupCanvassTimeoutNs(4 * timeout)
                .terminationTimeoutNs(TimeUnit.SECONDS.toNanos(2))
                .threadFactory(store.threads())
                .idleStrategySupplier(store::idle)
                .errorHandler(errors);
    }

    private ClusteredServiceContainer.Context containerContext(ClusteredService service) {
        return new ClusteredServiceContainer.Context()
                .aeron(Aeron.connect(store.ofPart()))
                .ownsAeronClient(true)
                .aeronDirectoryName(store.aeronDirectory())
                .archiveContext(store.archiveClient())
                .epochClock(store.epochClock())
                .clusterDir(store.folder("cluster"))
                .clusteredService(service)
                .snapshotChannel("aeron:ipc?term-length=" + SNAPSHOT_TERM_BYTES)
                .serviceId(0)
                .threadFactory(store.threads())
                .idleStrategySupplier(store::idle)
                .errorHandler(errors);
    }

    /** Returns what connects to the driver of this member. */
    public Aeron.Context client() {
        return store.client();
    }

    /** Connects to the archive of this member; whoever does closes it, before the engine. */
    AeronArchive connectArchive() {
        return store.connectArchive();
    }

    /** Returns up to which position a recording that is being written is in its files; any thread may ask. */
    public long recorded(long recording) throws IOException {
        try (AeronArchive archive = connectArchive()) {
            long position = archive.getRecordingPosition(recording);
            if (position == AeronArchive.NULL_POSITION) {
                throw new IOException("recording " + recording + " is not written at present");
            }
            return position;
        } catch (RuntimeException e) {
            throw new IOException("the archive does not say how far recording " + recording + " is: " + e, e);
        }
    }

    /** Returns whether this member is the leader, and nothing is to be agreed on any more; any thread may ask. */
    public boolean isLeader() {
        return Cluster.Role.get(counters.get(role)) == Cluster.Role.LEADER && isSettled();
    }

    /** Returns whether there is no election; any thread may ask. */
    public boolean isSettled() {
        return ElectionState.get(counters.get(election)) == ElectionState.CLOSED;
    }

    /** Returns how far the log is committed, in bytes; any thread may ask, even when the engine has ended. */
    public long commitPosition() {
        return counters.get(committed);
    }

    /**
     * Returns the term of the log that this member is in, which grows with each election that has a leader, over all
     * starts; -1 for none. Any thread may ask, even when the engine has ended.
     */
    public long term() {
        return counters.get(term);
    }

    /** Returns in how many elections this member has taken part since it started; any thread may ask, even then. */
    public long elections() {
        return counters.get(elections);
    }

    /**
     * Returns how many snapshots the cluster has taken since this member started; any thread may ask, even when the
     * engine has ended.
     */
    public long snapshots() {
        return counters.get(taken);
    }

    /** Asks for a snapshot at all members; returns whether this member could, as the leader that is not busy. */
    public boolean takeSnapshot() {
        return isLeader()
                && counters.replace(
                        toggle, ClusterControl.ToggleState.NEUTRAL.code(), ClusterControl.ToggleState.SNAPSHOT.code());
    }

    /** Ends all of it, without a word to the others. */
    @Override
    public void close() {
        CloseHelper.closeAll(errors, module, container, store);
    }
}
