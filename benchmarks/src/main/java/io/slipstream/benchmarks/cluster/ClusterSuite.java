package io.slipstream.benchmarks.cluster;

import io.slipstream.benchmarks.suite.Comparison;
import io.slipstream.benchmarks.suite.Plan;
import io.slipstream.benchmarks.suite.Suite;
import io.slipstream.benchmarks.suite.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Three members in one JVM beside three of another Raft; they share the processors, so only ratios count. */
public final class ClusterSuite implements Suite {
    private static final Unit RATE = Unit.throughput("commands/s");
    private static final Unit TIME = Unit.cost("us");
    private static final int MANY = 64;

    @Override
    public String name() {
        return "cluster";
    }

    @Override
    public List<String> jvmOptions() {
        return List.of(
                "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Dsofa.middleware.log.disable=true");
    }

    @Override
    public List<Comparison> comparisons(boolean quick) {
        List<Comparison> all = new ArrayList<>();
        for (boolean forced : new boolean[] {false, true}) {
            String how = forced ? ", forced" : ", in memory";
            Replicas.Kind ours = () -> new SlipstreamReplicas(forced);
            Replicas.Kind ratis = () -> new RatisReplicas(forced);
            Replicas.Kind jraft = () -> new JRaftReplicas(forced);
            String named = "Apache Ratis 3.3";
            String inside = "SOFAJRaft 1.4, called in its leader";
            all.add(rate(how, named, 3, ours, ratis, quick));
            all.add(rate(how, inside, 3, ours, jraft, quick));
            all.add(rate(how, "Aeron Cluster 1.51, echo", 0.8, ours, () -> new AeronReplicas(forced), quick));
            for (int percent : new int[] {50, 99}) {
                String what = "one in flight, " + percent + " %" + how;
                all.add(time(what, named, percent, ours, ratis, quick));
                all.add(time(what, inside, percent, ours, jraft, quick));
            }
        }
        return all;
    }

    private static Plan plan(boolean quick) {
        return quick ? new Plan(1, 1, 2) : new Plan(2, 2, 5);
    }

    private static Comparison rate(
            String how, String peerName, double target, Replicas.Kind ours, Replicas.Kind peer, boolean quick) {
        ToDoubleFunction<Replicas.Seen> figure = ReplicasContest::rate;
        return new Comparison(
                "64 bytes, 64 in flight" + how,
                RATE,
                peerName,
                target,
                plan(quick),
                () -> new ReplicasContest(ours, peer, quick ? 8_000 : 40_000, MANY, figure));
    }

    private static Comparison time(
            String what, String peerName, int percent, Replicas.Kind ours, Replicas.Kind peer, boolean quick) {
        return new Comparison(
                what,
                TIME,
                peerName,
                0.5,
                plan(quick),
                () -> new ReplicasContest(ours, peer, quick ? 400 : 4_000, 1, ReplicasContest.percentile(percent)));
    }
}
