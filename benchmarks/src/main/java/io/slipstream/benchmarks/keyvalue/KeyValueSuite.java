package io.slipstream.benchmarks.keyvalue;

import io.slipstream.benchmarks.suite.Comparison;
import io.slipstream.benchmarks.suite.Plan;
import io.slipstream.benchmarks.suite.Suite;
import io.slipstream.benchmarks.suite.Unit;
import io.slipstream.journal.config.Durability;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The key-value store beside Redis; nothing is measured where {@code redis-server} is not installed. */
public final class KeyValueSuite implements Suite {
    private static final Unit RATE = Unit.throughput("requests/s");
    private static final String ALWAYS = "Redis 7, appendfsync always";
    private static final String EVERY_SECOND = "Redis 7, appendfsync everysec";

    /** Tests of redis-benchmark by their names, and how many requests a round has at least. */
    private static final Map<String, Integer> OTHERS = Map.of(
            "get",
            600_000,
            "incr",
            600_000,
            "lpush",
            600_000,
            "lpop",
            600_000,
            "sadd",
            600_000,
            "hset",
            600_000,
            "zadd",
            600_000,
            "mset",
            100_000,
            "lrange_100",
            60_000);

    @Override
    public String name() {
        return "keyvalue";
    }

    @Override
    public List<Comparison> comparisons(boolean quick) {
        if (!RedisServer.isInstalled()) {
            System.err.println("keyvalue: redis-server and redis-benchmark are not installed; nothing is measured");
            return List.of();
        }
        List<Comparison> all = new ArrayList<>();
        all.add(of(quick, "SET -P 16, SYNC", ALWAYS, 2.0, Durability.SYNC, "always", "set", 16, 600_000));
        all.add(of(quick, "SET -P 1, SYNC", ALWAYS, 1.2, Durability.SYNC, "always", "set", 1, 100_000));
        all.add(of(quick, "SET -P 16, PROCESS", EVERY_SECOND, 1.5, Durability.PROCESS, "everysec", "set", 16, 600_000));
        all.add(of(quick, "SET -P 1, PROCESS", EVERY_SECOND, 1.0, Durability.PROCESS, "everysec", "set", 1, 100_000));
        new TreeMap<>(OTHERS)
                .forEach((test, requests) -> all.add(of(
                        quick,
                        test + " -P 16, PROCESS",
                        EVERY_SECOND,
                        1.0,
                        Durability.PROCESS,
                        "everysec",
                        test,
                        16,
                        requests)));
        all.addAll(largeAndSteady(quick));
        return all;
    }

    private static List<Comparison> largeAndSteady(boolean quick) {
        int keys = quick ? 1_000_000 : 10_000_000;
        String many = (quick ? "1" : "10") + " million keys";
        Unit micros = Unit.cost("us");
        Plan steady = quick ? new Plan(1, 0, 5) : new Plan(1, 1, 7);
        int some = quick ? 200_000 : 5_000_000;
        double seconds = quick ? 2 : 10;
        Unit start = Unit.cost("s");
        Plan few = new Plan(1, 0, 5);
        return List.of(
                new Comparison(
                        "SET -P 1, SYNC, at half of Redis' peak while both save: median",
                        micros,
                        ALWAYS,
                        1.0,
                        steady,
                        () -> new SteadyContest(0.5, some, seconds)),
                new Comparison(
                        "SET -P 1, SYNC, at half of Redis' peak while both save: 99.9 %",
                        micros, ALWAYS, 1.0, steady, () -> new SteadyContest(0.999, some, seconds)),
                new Comparison(
                        "SET -P 1, SYNC, at half of Redis' peak while both save: slowest",
                        micros,
                        ALWAYS,
                        1.0,
                        steady,
                        () -> new SteadyContest(1, some, seconds)),
                new Comparison(
                        "memory, " + many + " with values of 64 bytes",
                        Unit.cost("bytes/key"),
                        "Redis 7",
                        1.0,
                        few,
                        () -> new MemoryContest(keys)),
                new Comparison(
                        "start with " + many,
                        start,
                        "Redis 7, from its AOF",
                        0.5,
                        few,
                        () -> new StartContest(keys, StartContest.Form.AOF)),
                new Comparison(
                        "start with " + many,
                        start,
                        "Redis 7, from its RDB",
                        1.0,
                        few,
                        () -> new StartContest(keys, StartContest.Form.RDB)));
    }

    private static Comparison of(
            boolean quick,
            String name,
            String peer,
            double target,
            Durability level,
            String fsync,
            String test,
            int pipeline,
            int requests) {
        return new Comparison(
                name,
                RATE,
                peer,
                target,
                Plan.of(quick),
                () -> new RedisContest(level, fsync, test, pipeline, requests));
    }
}
