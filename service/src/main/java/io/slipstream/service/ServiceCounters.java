package io.slipstream.service;

import io.slipstream.core.counters.CounterType;
import io.slipstream.core.counters.Counters;
import io.slipstream.core.ring.FramePoller;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.ring.RingCounters;
import io.slipstream.core.sequence.Sequence;
import io.slipstream.core.thread.Duty;
import io.slipstream.core.thread.SampledCounters;
import io.slipstream.core.thread.Worker;
import io.slipstream.core.thread.WorkerCounters;
import io.slipstream.service.gateway.Gateways;
import io.slipstream.service.log.CommitTimes;
import io.slipstream.service.log.JournalStage;
import io.slipstream.service.logic.LogicStage;
import io.slipstream.service.snapshot.SnapshotReport;
import io.slipstream.service.snapshot.Snapshotter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Shows a service to other processes: its rings, connections, commands, log and threads. Runs on the first
 * gateway's thread; the figures of several gateways are sums, their threads and what they have yet to read are not.
 */
final class ServiceCounters implements Duty {
    /** Thirteen for the rings, eleven for commands, two for connections, 24 for the log, four for each thread. */
    static final int PLACES = 62;

    /** For each further gateway: four for its thread, and what it has yet to read. */
    static final int PLACES_OF_A_GATEWAY = 5;

    private static final Duration INTERVAL = Duration.ofMillis(200);

    private final @Nullable Counters counters;
    private final List<SampledCounters<?>> parts = new ArrayList<>();

    /** Shows it in {@code counters}, or nowhere. */
    ServiceCounters(@Nullable Counters counters) {
        this.counters = counters;
    }

    void addRings(FrameRing input, Sequence journaled, Sequence applied, FrameRing output, List<FramePoller> sent) {
        if (counters != null) {
            parts.add(new RingCounters(input, counters, "input ring", INTERVAL)
                    .addLag("the journal", journaled)
                    .addLag("the logic", applied));
            RingCounters ofOutput = new RingCounters(output, counters, "output ring", INTERVAL);
            for (int i = 0; i < sent.size(); i++) {
                ofOutput.addLag("the " + gateway(i), sent.get(i).sequence());
            }
            parts.add(ofOutput);
        }
    }

    /** Returns the name of a gateway, the first one being 0. */
    static String gateway(int index) {
        return index == 0 ? "gateway" : "gateway-" + (index + 1);
    }

    void addCommands(Gateways gateways, int maxConnections, JournalStage journaling, LogicStage logic) {
        if (counters != null) {
            parts.add(new SampledCounters<>(() -> gateways, counters, "connections", INTERVAL)
                    .add(CounterType.CAPACITY, "limit", _ -> maxConnections)
                    .add(CounterType.DEPTH, "open", Gateways::connections));
            parts.add(new SampledCounters<>(() -> gateways, counters, "waiting commands", INTERVAL)
                    .add(CounterType.CAPACITY, "capacity", Gateways::allowed)
                    .add(CounterType.DEPTH, "depth", Gateways::waiting));
            parts.add(new SampledCounters<>(() -> gateways, counters, "commands", INTERVAL)
                    .add(CounterType.COUNT, "accepted", Gateways::accepted)
                    .add(CounterType.COUNT, "processed", _ -> logic.processed().getAcquire())
                    .add(CounterType.REFUSED, "refused", Gateways::refused)
                    .add(
                            CounterType.REFUSED,
                            "refused since the log was full",
                            _ -> journaling.unlogged().getAcquire())
                    .add(CounterType.REFUSED, "shed", Gateways::shed)
                    .add(
                            CounterType.LEVEL,
                            "pressure in percent, at least",
                            its -> its.level().percent())
                    .add(CounterType.COUNT, "logins", Gateways::logins)
                    .add(CounterType.REFUSED, "denied", Gateways::denied)
                    .add(CounterType.LEVEL, "log full", _ -> journaling.isFull() ? 1 : 0));
        }
    }

    void addLog(JournalStage journaling, Snapshotter snapshotter) {
        if (counters != null) {
            parts.add(new SampledCounters<>(() -> journaling, counters, CommitTimes.SUM_OWNER, INTERVAL)
                    .add(CounterType.COUNT, "bytes", JournalStage::writtenBytes)
                    .add(CounterType.COUNT, "commits", its -> its.commits().getAcquire())
                    .add(
                            CounterType.SPENT_NANOS,
                            CommitTimes.SUM_LABEL,
                            its -> its.commitNanos().getAcquire())
                    .add(
                            CounterType.DURATION_NANOS,
                            "longest commit",
                            its -> its.longestCommitNanos().getAcquire()));
            parts.add(commitTimes(counters, journaling.commitTimes()));
            parts.add(new SampledCounters<>(() -> snapshotter, counters, "snapshots", INTERVAL)
                    .add(CounterType.COUNT, "begun", its -> its.begun().getAcquire())
                    .add(CounterType.COUNT, "ended", its -> its.ended().getAcquire())
                    .add(CounterType.COUNT, "failed", its -> its.failed().getAcquire())
                    .add(CounterType.POSITION, "last entry in it", its -> of(its, SnapshotReport::sequence))
                    .add(CounterType.LEVEL, "bytes of state", its -> of(its, SnapshotReport::bytes))
                    .add(
                            CounterType.DURATION_NANOS,
                            "last took",
                            its -> of(its, last -> last.took().toNanos())));
        }
    }

    private static SampledCounters<CommitTimes> commitTimes(Counters counters, CommitTimes times) {
        SampledCounters<CommitTimes> all = new SampledCounters<>(() -> times, counters, CommitTimes.OWNER, INTERVAL);
        for (int i = 0; i < CommitTimes.groups(); i++) {
            int group = i;
            all.add(CounterType.COUNT, CommitTimes.label(group), its -> its.count(group));
        }
        return all;
    }

    private static long of(Snapshotter snapshotter, ToLongFunction<SnapshotReport> value) {
        SnapshotReport last = snapshotter.last();
        return last == null ? 0 : value.applyAsLong(last);
    }

    /** Before the worker starts that runs this duty. */
    void addWorker(Worker worker, String name) {
        if (counters != null) {
            parts.add(new WorkerCounters(worker, counters, "thread " + name, INTERVAL));
        }
    }

    @Override
    public int work() {
        // By index, since this runs in each round, and an iterator would be garbage of each round.
        for (int i = 0; i < parts.size(); i++) {
            parts.get(i).work();
        }
        // Nobody waits for this: it must not keep a thread awake.
        return 0;
    }

    @Override
    public void onStop() {
        parts.forEach(SampledCounters::onStop);
    }
}
