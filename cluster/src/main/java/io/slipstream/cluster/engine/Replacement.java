package io.slipstream.cluster.engine;

import io.aeron.Aeron;
import io.aeron.AeronCounters;
import io.aeron.archive.client.AeronArchive;
import io.aeron.cluster.ClusterBackup;
import io.aeron.cluster.ClusterBackupEventsListener;
import io.aeron.cluster.ClusterMember;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.RecordingLog;
import io.slipstream.cluster.config.ClusterConfig;
import io.slipstream.cluster.config.MemberAddress;
import io.slipstream.service.host.Host;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.agrona.CloseHelper;
import org.agrona.IoUtil;
import org.jspecify.annotations.Nullable;

/**
 * Fills the folder of a member that has lost its own: copies the last snapshot and the log behind it from the leader.
 *
 * <p>Whatever the lost member has acknowledged, it has before this begins. A leader that is in office two of its
 * timeouts later has a majority without this member, so it has everything that was committed until then. Once the copy
 * reaches the end of such a leader's log, it has all that the lost member has helped to commit, and may vote again.
 */
public final class Replacement implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("io.slipstream.cluster");
    private static final long PATIENCE_NANOS = 30_000_000_000L;
    private static final long PAUSE_NANOS = 10_000_000;
    private static final long QUERY_NANOS = 500_000_000;
    private static final long UNKNOWN = AeronArchive.NULL_POSITION;

    private final ClusterConfig config;
    private final Host host;
    private final LogStore store;
    private final Progress progress;
    private final ClusterBackup backup;

    private Replacement(ClusterConfig config, Path directory, Host host) throws IOException {
        this.config = config;
        this.host = host;
        this.progress = new Progress(host);
        this.store = new LogStore(config, directory, host, progress::onError, progress::onError);
        try {
            this.backup = ClusterBackup.launch(context());
        } catch (RuntimeException | Error e) {
            CloseHelper.quietClose(store);
            throw e;
        }
    }

    /**
     * Copies what the member lacks, and returns when it has all. What the folder holds of a log is removed before.
     *
     * @param directory of the member, which nobody else uses
     * @throws IOException if there was no leader to copy from for half a minute and ten leader timeouts, or the copy
     *                     fails
     */
    public static void fill(ClusterConfig config, Path directory, Host host) throws IOException {
        if (config.members().size() == 1) {
            throw new IOException("a cluster of one member has nobody to copy from: its folder is all there is");
        }
        remove(directory);
        try (Replacement replacement = new Replacement(config, directory, host)) {
            replacement.copy();
        } catch (RuntimeException e) {
            throw new IOException("the copy of the log has failed: " + e, e);
        }
        LOG.log(System.Logger.Level.INFO, "member " + config.id() + " has a copy of the log in " + directory);
    }

    private static void remove(Path directory) {
        for (String part : new String[] {"archive", "cluster"}) {
            IoUtil.delete(directory.resolve(part).toFile(), false);
        }
    }

    private ClusterBackup.Context context() {
        MemberAddress own = config.members().get(config.id());
        Aeron aeron = Aeron.connect(store.invoked());
        return new ClusterBackup.Context()
                .aeron(aeron)
                .ownsAeronClient(true)
                .errorCounter(
                        aeron.addCounter(AeronCounters.CLUSTER_BACKUP_ERROR_COUNT_TYPE_ID, "Cluster Backup Errors"))
                .aeronDirectoryName(store.aeronDirectory())
                .clusterDir(store.folder("cluster"))
                .clusterConsensusEndpoints(config.members().all().stream()
                        .filter(member -> member.id() != config.id())
                        .map(MemberAddress::consensus)
                        .collect(Collectors.joining(",")))
                .consensusChannel("aeron:udp?term-length=64k|endpoint=" + own.consensus())
                .catchupChannel(Channels.udp(config))
                .catchupEndpoint(own.catchUp())
                .archiveContext(store.archiveClient())
                .clusterArchiveContext(leaderArchive(config.members().all().getFirst()))
                .sourceType(ClusterBackup.SourceType.LEADER)
                .initialReplayStart(ClusterBackup.Configuration.ReplayStart.LATEST_SNAPSHOT)
                .clusterBackupIntervalNs(QUERY_NANOS)
                .clusterBackupResponseTimeoutNs(2 * QUERY_NANOS)
                .clusterBackupCoolDownIntervalNs(QUERY_NANOS)
                .eventsListener(progress)
                .epochClock(store.epochClock())
                .threadFactory(store.threads())
                .idleStrategySupplier(store::idle)
                .errorHandler(progress::onError)
                .terminationHook(progress::onEnd);
    }

    private AeronArchive.Context leaderArchive(MemberAddress leader) {
        return new AeronArchive.Context()
                .aeronDirectoryName(store.aeronDirectory())
                .controlRequestChannel(Channels.at(leader.archive()))
                .controlResponseChannel(Channels.anyPort(config.members().get(config.id())));
    }

    private void copy() throws IOException {
        long confirmedFrom = host.nanoTime() + 2 * config.leaderTimeout().toNanos();
        long patience = PATIENCE_NANOS + 10 * config.leaderTimeout().toNanos();
        long end = UNKNOWN;
        try (AeronArchive archive = store.connectArchive()) {
            while (end == UNKNOWN || copied(archive) < end) {
                progress.requireHope(patience);
                int leader = progress.leaderSince(confirmedFrom);
                if (end == UNKNOWN && leader >= 0) {
                    end = endOf(config.members().get(leader));
                }
                host.pause(PAUSE_NANOS);
                if (Thread.currentThread().isInterrupted()) {
                    throw new IOException("interrupted before the copy was complete");
                }
            }
            backup.close();
            awaitEnd(archive, end);
        }
    }

    private long copied(AeronArchive archive) {
        long recording = progress.recording;
        return recording < 0 ? UNKNOWN : archive.getRecordingPosition(recording);
    }

    /** A recording counts as it is when nothing is written to it any more. */
    private void awaitEnd(AeronArchive archive, long end) throws IOException {
        long stopped = UNKNOWN;
        long begin = host.nanoTime();
        while (stopped == UNKNOWN) {
            stopped = archive.getStopPosition(progress.recording);
            if (host.nanoTime() - begin > PATIENCE_NANOS) {
                throw new IOException("the archive does not stop recording the copy of the log");
            }
            host.pause(PAUSE_NANOS);
        }
        if (stopped < end) {
            throw new IOException("the copy of the log ends at " + stopped + ", before " + end);
        }
    }

    /** Returns where the log of a leader ends, committed or not; {@link #UNKNOWN} if it does not say. */
    private long endOf(MemberAddress leader) {
        try (AeronArchive archive = AeronArchive.connect(
                leaderArchive(leader).aeron(Aeron.connect(store.client())).ownsAeronClient(true))) {
            List<Long> running = new ArrayList<>();
            archive.listRecordingsForUri(
                    0,
                    Integer.MAX_VALUE,
                    "aeron:",
                    ConsensusModule.Configuration.logStreamId(),
                    (controlSessionId,
                            correlationId,
                            recordingId,
                            startTimestamp,
                            stopTimestamp,
                            startPosition,
                            stopPosition,
                            initialTermId,
                            segmentFileLength,
                            termBufferLength,
                            mtuLength,
                            sessionId,
                            streamId,
                            strippedChannel,
                            originalChannel,
                            sourceIdentity) -> {
                        if (stopPosition == AeronArchive.NULL_POSITION) {
                            running.add(recordingId);
                        }
                    });
            return running.stream()
                    .mapToLong(archive::getRecordingPosition)
                    .max()
                    .orElse(UNKNOWN);
        } catch (RuntimeException e) {
            progress.onError(e);
            return UNKNOWN;
        }
    }

    @Override
    public void close() {
        CloseHelper.quietCloseAll(backup, store);
    }

    /** What the thread of the backup tells. */
    private static final class Progress implements ClusterBackupEventsListener {
        private final Host host;
        private volatile long recording = -1;
        private volatile int leader = -1;
        private volatile long leaderNanos;
        private volatile boolean isAsking = true;
        private volatile long askedNanos;
        private volatile boolean hasEnded;
        private volatile @Nullable Throwable error;

        Progress(Host host) {
            this.host = host;
            this.askedNanos = host.nanoTime();
        }

        /** Returns the last leader that has answered, if it was asked after that time; -1 otherwise. */
        int leaderSince(long nanos) {
            return leader >= 0 && leaderNanos - nanos >= 0 ? leader : -1;
        }

        void requireHope(long patienceNanos) throws IOException {
            if (hasEnded) {
                throw new IOException("the copy of the log has failed: " + error, error);
            }
            if (isAsking && host.nanoTime() - askedNanos > patienceNanos) {
                throw new IOException(
                        "no leader has answered for " + TimeUnit.NANOSECONDS.toSeconds(patienceNanos)
                                + " s, and a member that is replaced copies what it lacks from the leader. Start a"
                                + " majority of the others, then this one again",
                        error);
            }
        }

        void onEnd() {
            hasEnded = true;
        }

        void onError(Throwable cause) {
            error = cause;
            LOG.log(System.Logger.Level.DEBUG, "while the log is copied", cause);
        }

        @Override
        public void onBackupQuery() {
            ask();
        }

        private void ask() {
            if (!isAsking) {
                askedNanos = host.nanoTime();
                isAsking = true;
            }
        }

        @Override
        public void onPossibleFailure(Exception cause) {
            LOG.log(System.Logger.Level.WARNING, "the log is not copied at present: " + cause);
            error = cause;
            ask();
        }

        @Override
        public void onBackupResponse(
                ClusterMember[] members, ClusterMember source, List<RecordingLog.Snapshot> snapshots) {
            leaderNanos = askedNanos;
            isAsking = false;
            leader = source.id();
        }

        @Override
        public void onUpdatedRecordingLog(RecordingLog log, List<RecordingLog.Snapshot> snapshots) {
            recording = log.findLastTermRecordingId();
        }

        @Override
        public void onLiveLogProgress(long recordingId, long counter, long position) {}
    }
}
