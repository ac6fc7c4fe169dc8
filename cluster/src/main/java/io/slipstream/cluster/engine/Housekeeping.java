package io.slipstream.cluster.engine;

import io.aeron.archive.client.AeronArchive;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.RecordingLog;
import io.slipstream.cluster.config.ClusterConfig;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes a snapshot when enough of the log has come since the last one, and removes the log before the older one of two,
 * with the snapshots before it. A thread of its own; each member removes its own, and the leader asks for snapshots.
 */
public final class Housekeeping implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("io.slipstream.cluster");
    private static final long PAUSE_NANOS = 200_000_000;
    private static final int KEPT = 2;

    private final ClusterConfig config;
    private final Engine engine;
    private final Path clusterFolder;
    private final BooleanSupplier mayTake;
    private final Thread thread;
    private volatile boolean closed;
    private long snapshots = -1;
    private volatile long snapshotAt;
    private volatile long snapshotEpochNanos;
    /* Where a snapshot was last asked for: one that fails is not asked for again at once. */
    private long askedAt;

    /**
     * Begins.
     *
     * @param mayTake says whether a snapshot may be taken at present
     */
    public Housekeeping(ClusterConfig config, Engine engine, Path directory, BooleanSupplier mayTake) {
        this.config = config;
        this.engine = engine;
        this.mayTake = mayTake;
        this.clusterFolder = directory.resolve("cluster");
        this.thread =
                Thread.ofPlatform().daemon().name("slipstream-housekeeping").start(this::run);
    }

    private void run() {
        while (!closed) {
            try {
                work();
            } catch (RuntimeException | OutOfMemoryError e) {
                if (!closed) {
                    LOG.log(System.Logger.Level.WARNING, "the log is not trimmed at present: " + e);
                    snapshots = -1;
                }
            }
            LockSupport.parkNanos(this, PAUSE_NANOS);
        }
    }

    private void work() {
        long taken = engine.snapshots();
        if (taken != snapshots) {
            trim();
            snapshots = taken;
        }
        long position = engine.commitPosition();
        boolean due =
                config.snapshotLogBytes() > 0 && position - Math.max(snapshotAt, askedAt) >= config.snapshotLogBytes();
        if (due && mayTake.getAsBoolean() && engine.takeSnapshot()) {
            askedAt = position;
        }
    }

    private void trim() {
        try (RecordingLog log = new RecordingLog(clusterFolder.toFile(), false);
                AeronArchive archive = engine.connectArchive()) {
            List<RecordingLog.Entry> taken = log.entries().stream()
                    .filter(entry -> entry.isValid
                            && entry.type == RecordingLog.ENTRY_TYPE_SNAPSHOT
                            && entry.serviceId == ConsensusModule.Configuration.SERVICE_ID)
                    .sorted(Comparator.comparingLong((RecordingLog.Entry entry) -> entry.logPosition)
                            .reversed())
                    .toList();
            snapshotAt = taken.isEmpty() ? 0 : taken.getFirst().logPosition;
            snapshotEpochNanos = taken.isEmpty() ? 0 : taken.getFirst().timestamp;
            if (taken.size() >= KEPT && config.snapshotLogBytes() > 0) {
                removeBefore(taken.get(KEPT - 1).logPosition, log, archive);
            }
        }
    }

    private void removeBefore(long bound, RecordingLog log, AeronArchive archive) {
        long recording = log.findLastTermRecordingId();
        long start = archive.getStartPosition(recording);
        long base = AeronArchive.segmentFileBasePosition(start, bound, config.termBytes(), config.segmentBytes());
        if (base > start) {
            archive.purgeSegments(recording, base);
        }
        for (RecordingLog.Entry entry : log.entries()) {
            if (entry.type == RecordingLog.ENTRY_TYPE_SNAPSHOT
                    && entry.logPosition < bound
                    && isThere(archive, entry.recordingId)) {
                archive.purgeRecording(entry.recordingId);
            }
        }
    }

    private static boolean isThere(AeronArchive archive, long recording) {
        return archive.listRecording(
                        recording,
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
                                sourceIdentity) -> {})
                > 0;
    }

    /** Returns the position of the log at the last snapshot that was seen, in bytes. */
    public long snapshotAt() {
        return snapshotAt;
    }

    /** Returns when the last snapshot was taken, in nanoseconds since 1970 by the leader's time; 0 if there is none. */
    public long snapshotEpochNanos() {
        return snapshotEpochNanos;
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        try {
            if (Thread.currentThread() != thread) {
                thread.join(5_000);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the thread, for those who want to know whether it has ended. */
    @Nullable
    Thread thread() {
        return thread;
    }
}
