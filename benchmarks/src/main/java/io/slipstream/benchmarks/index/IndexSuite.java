package io.slipstream.benchmarks.index;

import io.slipstream.benchmarks.suite.Comparison;
import io.slipstream.benchmarks.suite.Plan;
import io.slipstream.benchmarks.suite.Suite;
import io.slipstream.benchmarks.suite.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** {@code benchmarks/run index}. */
public final class IndexSuite implements Suite {
    private static final double TARGET = 0.9;
    private static final double TARGET_IN_BATCHES = 0.4;
    private static final int KEYS = 10_000_000;

    private record Peer(String name, Supplier<LongMap> map) {}

    @Override
    public String name() {
        return "index";
    }

    @Override
    public List<Comparison> comparisons(boolean quick) {
        List<Peer> peers = List.of(
                new Peer("fastutil 8.5.19 Long2LongOpenHashMap", LongMap::fastutil),
                new Peer("Agrona 2.4.1 Long2LongHashMap", LongMap::agrona),
                new Peer("Eclipse Collections 13.0.0 LongLongHashMap", LongMap::eclipse),
                new Peer("HashMap", LongMap::ofTheJdk));
        Plan plan = quick ? new Plan(1, 1, 3) : Plan.FULL;
        List<Comparison> comparisons = new ArrayList<>();
        for (Operation operation :
                List.of(Operation.HIT, Operation.BATCH, Operation.MISS, Operation.PUT, Operation.MIXED)) {
            for (Peer peer : peers) {
                comparisons.add(new Comparison(
                        operation.title() + ", 10 M keys",
                        Unit.cost("ns"),
                        peer.name,
                        operation == Operation.BATCH ? TARGET_IN_BATCHES : TARGET,
                        plan,
                        () -> new MapContest(operation, LongMap::ours, peer.map, KEYS)));
            }
        }
        Peer fastutil = peers.getFirst();
        comparisons.add(new Comparison(
                Operation.LONGEST_PUT.title() + " to 10 M keys",
                Unit.cost("ns"),
                fastutil.name,
                0.02,
                plan,
                () -> new MapContest(Operation.LONGEST_PUT, LongMap::ours, fastutil.map, KEYS)));
        comparisons.add(new Comparison(
                "mapped: open, and get each of a million keys",
                Unit.cost("ms"),
                "Chronicle Map 2026.1",
                0.2,
                plan,
                MappedContest::new));
        return comparisons;
    }

    /** What Agrona and Chronicle Map need. */
    @Override
    public List<String> jvmOptions() {
        List<String> options = new ArrayList<>(List.of("-Xmx6g", "-Xms3g"));
        for (String internal : List.of(
                "java.base/jdk.internal.ref",
                "java.base/sun.nio.ch",
                "jdk.unsupported/sun.misc",
                "jdk.compiler/com.sun.tools.javac.file")) {
            options.add("--add-exports=" + internal + "=ALL-UNNAMED");
        }
        for (String internal : List.of(
                "java.base/jdk.internal.misc",
                "jdk.compiler/com.sun.tools.javac",
                "java.base/java.lang",
                "java.base/java.lang.reflect",
                "java.base/java.io",
                "java.base/java.util",
                "java.base/sun.nio.ch")) {
            options.add("--add-opens=" + internal + "=ALL-UNNAMED");
        }
        options.add("--sun-misc-unsafe-memory-access=allow");
        options.add("--enable-native-access=ALL-UNNAMED");
        return options;
    }
}
