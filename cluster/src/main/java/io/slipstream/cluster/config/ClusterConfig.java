package io.slipstream.cluster.config;

import io.slipstream.core.thread.Patience;
import io.slipstream.service.ServiceConfig;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How one member of a cluster runs. A value; each {@code with} method returns a changed copy.
 *
 * @param members          of the cluster, the same at each of them
 * @param id               of this one
 * @param service          clients, limits and folder; its journal, snapshots and log gate are not used, since the
 *                         log is the cluster's
 * @param leaderTimeout    after which silence of the leader the others elect a new one, from 200 ms to a minute
 * @param forced           whether each member forces the log to its disk before it counts; otherwise an answered
 *                         command is in the memory of the systems of a majority
 * @param snapshotLogBytes after how many bytes of log a snapshot is taken, and the log before the one before is
 *                         removed; 0 for never
 * @param termBytes        size of the files that the log passes through in memory, a power of two from 65,536; an
 *                         eighth of it is the longest command
 * @param joining          what the folder is expected to hold
 * @param disturbance      what a test does to this member
 * @param bind             host or address that this member listens on; null for the one in {@code members}, at which
 *                         others reach it
 */
public record ClusterConfig(
        Members members,
        int id,
        ServiceConfig service,
        Duration leaderTimeout,
        boolean forced,
        long snapshotLogBytes,
        int termBytes,
        Joining joining,
        Disturbance disturbance,
        @Nullable String bind) {
    /** Checks the values. */
    public ClusterConfig {
        Objects.requireNonNull(joining, "joining");
        Objects.requireNonNull(disturbance, "disturbance");
        members.get(id);
        if (bind != null && bind.isBlank()) {
            throw new IllegalArgumentException("a member listens on a host or an address, not on nothing");
        }
        leaderTimeout = Patience.countable(leaderTimeout);
        if (leaderTimeout.toMillis() < 200 || leaderTimeout.toMillis() > 60_000) {
            throw new IllegalArgumentException("a leader may be silent for 200 ms to a minute, not " + leaderTimeout);
        }
        if (snapshotLogBytes < 0) {
            throw new IllegalArgumentException(
                    "a snapshot is taken after 0 bytes of log or more, not " + snapshotLogBytes);
        }
        if (termBytes < 1 << 16 || termBytes > 1 << 30 || Integer.bitCount(termBytes) != 1) {
            throw new IllegalArgumentException(
                    "termBytes is a power of two from 65,536 to 1,073,741,824, not " + termBytes);
        }
        if (service.limits().maxFrameLength() > termBytes / 16) {
            throw new IllegalArgumentException(
                    "frames of maxFrameLength " + service.limits().maxFrameLength()
                            + " need termBytes of at least 16 times that, not " + termBytes);
        }
        if (service.logGate() != null) {
            throw new IllegalArgumentException("a member of a cluster has no log gate: its log is the cluster's");
        }
    }

    /**
     * Returns the defaults: a new leader about 1.2 s after the death of one, a log in memory, a snapshot for each 256
     * MiB of it, files of 4 MiB that the log passes through unless {@code service} has longer frames than 256 KiB, and
     * a folder of a member that was here before.
     *
     * @param service whose address is ignored: clients come where {@code members} says
     */
    public static ClusterConfig of(Members members, int id, ServiceConfig service) {
        int frame = Math.min(service.limits().maxFrameLength(), 1 << 26);
        int term = Math.max(1 << 22, Integer.highestOneBit(frame - 1) << 5);
        return new ClusterConfig(
                members,
                id,
                service,
                Duration.ofMillis(800),
                false,
                256L << 20,
                term,
                Joining.AGAIN,
                Disturbance.NONE,
                null);
    }

    /** Returns a copy with another {@link #service}. */
    public ClusterConfig withService(ServiceConfig newService) {
        return new ClusterConfig(
                members,
                id,
                newService,
                leaderTimeout,
                forced,
                snapshotLogBytes,
                termBytes,
                joining,
                disturbance,
                bind);
    }

    /** Returns a copy with another {@link #leaderTimeout}. */
    public ClusterConfig withLeaderTimeout(Duration timeout) {
        Objects.requireNonNull(timeout, "timeout");
        return new ClusterConfig(
                members, id, service, timeout, forced, snapshotLogBytes, termBytes, joining, disturbance, bind);
    }

    /** Returns a copy that forces the log to the disk, or does not. */
    public ClusterConfig withForced(boolean newForced) {
        return new ClusterConfig(
                members,
                id,
                service,
                leaderTimeout,
                newForced,
                snapshotLogBytes,
                termBytes,
                joining,
                disturbance,
                bind);
    }

    /** Returns a copy that takes a snapshot after another number of bytes of log. */
    public ClusterConfig withSnapshotLogBytes(long bytes) {
        return new ClusterConfig(
                members, id, service, leaderTimeout, forced, bytes, termBytes, joining, disturbance, bind);
    }

    /** Returns a copy with another {@link #termBytes}. */
    public ClusterConfig withTermBytes(int bytes) {
        return new ClusterConfig(
                members, id, service, leaderTimeout, forced, snapshotLogBytes, bytes, joining, disturbance, bind);
    }

    /** Returns a copy whose folder is expected to hold something else. */
    public ClusterConfig withJoining(Joining newJoining) {
        return new ClusterConfig(
                members,
                id,
                service,
                leaderTimeout,
                forced,
                snapshotLogBytes,
                termBytes,
                newJoining,
                disturbance,
                bind);
    }

    /** Returns a copy that is disturbed. */
    public ClusterConfig withDisturbance(Disturbance newDisturbance) {
        return new ClusterConfig(
                members,
                id,
                service,
                leaderTimeout,
                forced,
                snapshotLogBytes,
                termBytes,
                joining,
                newDisturbance,
                bind);
    }

    /**
     * Returns a copy that listens on another host or address than the one at which others reach it, such as {@code
     * 0.0.0.0} in a container. The ports are the same.
     */
    public ClusterConfig withBind(String host) {
        return new ClusterConfig(
                members, id, service, leaderTimeout, forced, snapshotLogBytes, termBytes, joining, disturbance, host);
    }

    /** Returns the host or address that this member listens on. */
    public String listensOn() {
        return bind == null ? members.get(id).host() : bind;
    }

    /** Returns the size of a file of the log on disk, in which it is removed. */
    public int segmentBytes() {
        return 4 * termBytes;
    }
}
