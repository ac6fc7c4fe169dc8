package io.slipstream.cluster.member;

import io.slipstream.core.counters.CounterType;
import io.slipstream.core.counters.Counters;
import io.slipstream.core.thread.Duty;
import io.slipstream.core.thread.SampledCounters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Shows a member to other processes: its place in the cluster, its commands and its rings. */
final class MemberCounters implements Duty {
    /** Ten for the rings, five for the commands, seventeen for the member. */
    static final int PLACES = 35;

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final Duration INTERVAL = Duration.ofMillis(200);

    private final List<SampledCounters<?>> parts;

    MemberCounters(ClusterMember member, List<SampledCounters<?>> ofService, Counters counters) {
        int id = member.config().id();
        parts = new ArrayList<>();
        parts.add(new SampledCounters<>(() -> member, counters, "member " + id, INTERVAL)
                .add(CounterType.LEVEL, "leads", its -> its.isLeader() ? 1 : 0)
                .add(CounterType.LEVEL, "leader", ClusterMember::leaderId)
                .add(CounterType.COUNT, "changes of the leader", ClusterMember::terms)
                .add(CounterType.LEVEL, "term", ClusterMember::term)
                .add(CounterType.COUNT, "elections", ClusterMember::elections)
                .add(CounterType.LEVEL, "lets clients in", its -> its.isPresent() ? 1 : 0)
                .add(CounterType.LEVEL, "is ready", its -> its.isReady() ? 1 : 0)
                .add(CounterType.POSITION, "applied entry", ClusterMember::applied)
                .add(CounterType.POSITION, "committed bytes of log", ClusterMember::logBytes)
                .add(CounterType.LEVEL, "bytes of log not applied yet", ClusterMember::lagBytes)
                .add(CounterType.LEVEL, "in one entry, ms", its -> its.stuck().toMillis())
                .add(CounterType.LEVEL, "acts as version", ClusterMember::version)
                .add(CounterType.LEVEL, "knows version", ClusterMember::knownVersion)
                .add(CounterType.COUNT, "snapshots", ClusterMember::snapshots)
                .add(
                        CounterType.LEVEL,
                        "age of the last snapshot, s",
                        its -> its.snapshotAge().toSeconds())
                .add(CounterType.LEVEL, "bytes of log since the last one", ClusterMember::replayBytes)
                .add(CounterType.LEVEL, "clock ahead, ms", its -> its.clockAheadNanos() / NANOS_PER_MILLI));
        parts.addAll(ofService);
    }

    @Override
    public int work() {
        for (int i = 0; i < parts.size(); i++) {
            parts.get(i).work();
        }
        return 0;
    }

    @Override
    public void onStop() {
        parts.forEach(SampledCounters::onStop);
    }
}
