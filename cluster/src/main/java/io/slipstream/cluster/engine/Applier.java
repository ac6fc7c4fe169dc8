package io.slipstream.cluster.engine;

import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.cluster.codecs.CloseReason;
import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusterTerminationException;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.logbuffer.Header;
import io.slipstream.cluster.log.Entry;
import io.slipstream.cluster.log.Replicated;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Hands what Aeron has recorded to the service, on the thread of Aeron's container. That thread ends once the service
 * could not apply an entry: Aeron would report what is thrown, and go on.
 */
public final class Applier implements ClusteredService, Entry {
    private final Replicated replicated;
    private @Nullable Cluster cluster;
    private TimeUnit timeUnit = TimeUnit.NANOSECONDS;
    private DirectBuffer message = new UnsafeBuffer();
    private int begin;
    private int bytes;

    /** Creates it for one start of a member. */
    public Applier(Replicated replicated) {
        this.replicated = replicated;
    }

    @Override
    public void onStart(Cluster started, @Nullable Image snapshot) {
        cluster = started;
        TimeUnit ofLog = started.timeUnit();
        if (ofLog != null) {
            timeUnit = ofLog;
        }
        require(replicated.start(snapshot == null ? null : new SnapshotReader(snapshot, started.idleStrategy())));
    }

    @Override
    public void onSessionMessage(
            @Nullable ClientSession session,
            long timestamp,
            DirectBuffer buffer,
            int offset,
            int length,
            Header header) {
        message = buffer;
        begin = offset;
        bytes = length;
        require(replicated.apply(timeUnit.toNanos(timestamp), this));
    }

    @Override
    public int length() {
        return bytes;
    }

    @Override
    public void copy(int at, ByteBuffer to, int count) {
        message.getBytes(begin + at, to, 0, count);
    }

    private static void require(boolean applied) {
        if (!applied) {
            throw new ClusterTerminationException(false);
        }
    }

    @Override
    public void onTakeSnapshot(ExclusivePublication publication) {
        Cluster of = cluster;
        if (of == null) {
            throw new IllegalStateException("a snapshot was asked for before the start");
        }
        replicated.save(new SnapshotWriter(publication, of.idleStrategy()));
    }

    @Override
    public int doBackgroundWork(long nowNs) {
        Cluster of = cluster;
        return of == null ? 0 : replicated.work(of.logPosition());
    }

    @Override
    public void onRoleChange(Cluster.Role newRole) {
        replicated.leads(newRole == Cluster.Role.LEADER);
    }

    @Override
    public void onNewLeadershipTermEvent(
            long leadershipTermId,
            long logPosition,
            long timestamp,
            long termBaseLogPosition,
            int leaderMemberId,
            int logSessionId,
            TimeUnit unit,
            int appVersion) {
        timeUnit = unit;
        replicated.follows(leaderMemberId);
    }

    @Override
    public void onTerminate(Cluster terminated) {
        replicated.end();
    }

    @Override
    public void onSessionOpen(ClientSession session, long timestamp) {}

    @Override
    public void onSessionClose(ClientSession session, long timestamp, CloseReason closeReason) {}

    @Override
    public void onTimerEvent(long correlationId, long timestamp) {}
}
