package io.slipstream.cluster.engine;

import io.aeron.Aeron;
import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.client.EgressListener;
import io.aeron.cluster.codecs.EventCode;
import io.aeron.logbuffer.Header;
import io.slipstream.cluster.config.ClusterConfig;
import io.slipstream.cluster.log.LogTap;
import java.lang.foreign.MemorySegment;
import java.util.function.LongSupplier;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** The way to the leader by Aeron's client of a cluster, which is connected anew whenever it is lost. */
public final class Ingress implements LogTap, EgressListener {
    private static final long KEEP_ALIVE_NANOS = 500_000_000;
    private static final long PAUSE_NANOS = 50_000_000;
    private static final long HOUSEKEEPING_NANOS = 1_000_000;

    private final ClusterConfig config;
    private final LongSupplier clock;
    private final Aeron aeron;
    private AeronCluster.@Nullable AsyncConnect connecting;
    private @Nullable AeronCluster cluster;
    private final UnsafeBuffer offered = new UnsafeBuffer();
    private boolean changed;
    private long nextKeepAlive;
    private long nextAttempt;
    private long nextHousekeeping;

    /** Connects to the member's own driver; the leader is sought by {@link #work}. */
    public Ingress(ClusterConfig config, Engine engine, LongSupplier clock) {
        this.config = config;
        this.clock = clock;
        this.aeron = Aeron.connect(engine.client().useConductorAgentInvoker(true));
        this.nextAttempt = clock.getAsLong();
        this.nextHousekeeping = nextAttempt;
    }

    @Override
    public int work() {
        long now = clock.getAsLong();
        int done = 0;
        if (now - nextHousekeeping >= 0 || connecting != null) {
            nextHousekeeping = now + HOUSEKEEPING_NANOS;
            done += aeron.conductorAgentInvoker().invoke();
        }
        AeronCluster open = cluster;
        if (open == null) {
            return done + connect(now);
        }
        done += open.pollEgress();
        if (open.isClosed()) {
            lost(now);
        } else if (now - nextKeepAlive >= 0) {
            nextKeepAlive = now + KEEP_ALIVE_NANOS;
            open.sendKeepAlive();
        }
        return done;
    }

    private int connect(long now) {
        try {
            AeronCluster.AsyncConnect attempt = connecting;
            if (attempt == null) {
                if (now - nextAttempt < 0) {
                    return 0;
                }
                connecting = AeronCluster.asyncConnect(context());
                return 1;
            }
            AeronCluster connected = attempt.poll();
            if (connected == null) {
                return 0;
            }
            connecting = null;
            cluster = connected;
            changed = true;
            return 1;
        } catch (RuntimeException e) {
            // There is no leader at present, or it cannot be reached.
            lost(now);
            return 1;
        }
    }

    private AeronCluster.Context context() {
        return new AeronCluster.Context()
                .aeron(aeron)
                .ownsAeronClient(false)
                .egressListener(this)
                .ingressChannel(Channels.udp(config))
                .ingressEndpoints(Channels.ingressEndpoints(config.members()))
                .egressChannel(Channels.anyPort(config.members().get(config.id())))
                .messageTimeoutNs(
                        Math.max(1_000_000_000L, 2 * config.leaderTimeout().toNanos()))
                .newLeaderTimeoutNs(4 * config.leaderTimeout().toNanos());
    }

    private void lost(long now) {
        CloseHelper.quietCloseAll(connecting, cluster);
        connecting = null;
        cluster = null;
        nextAttempt = now + PAUSE_NANOS;
    }

    @Override
    public boolean isOpen() {
        return cluster != null;
    }

    @Override
    public boolean hasChanged() {
        boolean was = changed;
        changed = false;
        return was;
    }

    @Override
    public boolean offer(MemorySegment entry, int length) {
        AeronCluster open = cluster;
        if (open == null) {
            return false;
        }
        offered.wrap(entry.address(), length);
        return open.offer(offered, 0, length) > 0;
    }

    @Override
    public void onNewLeader(long clusterSessionId, long leadershipTermId, int leaderMemberId, String endpoints) {
        changed = true;
    }

    @Override
    public void onSessionEvent(
            long correlationId,
            long clusterSessionId,
            long leadershipTermId,
            int leaderMemberId,
            EventCode code,
            String detail) {}

    @Override
    public void onMessage(
            long clusterSessionId, long timestamp, DirectBuffer buffer, int offset, int length, Header header) {}

    @Override
    public void close() {
        CloseHelper.quietCloseAll(connecting, cluster, aeron);
    }
}
