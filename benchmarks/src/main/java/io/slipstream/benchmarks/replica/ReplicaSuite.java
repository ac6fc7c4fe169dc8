package io.slipstream.benchmarks.replica;

import io.slipstream.benchmarks.suite.Comparison;
import io.slipstream.benchmarks.suite.Plan;
import io.slipstream.benchmarks.suite.Suite;
import io.slipstream.benchmarks.suite.Unit;
import io.slipstream.journal.config.Durability;
import java.util.List;

/** The backup site beside a copy of the files, and a primary beside itself without one. */
public final class ReplicaSuite implements Suite {
    private static final Unit BYTES = Unit.written("MB/s", 1e6);
    private static final Unit COMMANDS = Unit.throughput("commands/s");
    private static final String COPY = "files copied through a TCP socket";
    private static final String ALONE = "the same without a backup";

    @Override
    public String name() {
        return "replica";
    }

    @Override
    public List<Comparison> comparisons(boolean quick) {
        Plan plan = quick ? new Plan(1, 2, 5) : new Plan(2, 2, 7);
        return List.of(
                new Comparison(
                        "catching up, 256-byte commands",
                        BYTES,
                        COPY,
                        0.5,
                        plan,
                        () -> new CatchUpContest(256, quick ? 300_000 : 600_000)),
                new Comparison(
                        "catching up, 4 KB commands",
                        BYTES,
                        COPY,
                        0.5,
                        plan,
                        () -> new CatchUpContest(4_096, quick ? 25_000 : 50_000)),
                primary("commands of 64 bytes at SYNC, backup that gives way", Durability.SYNC, plan, quick),
                primary("commands of 64 bytes at PROCESS, backup that gives way", Durability.PROCESS, plan, quick));
    }

    private static Comparison primary(String name, Durability level, Plan plan, boolean quick) {
        return new Comparison(
                name, COMMANDS, ALONE, 0.9, plan, () -> new PrimaryContest(level, quick ? 150_000 : 300_000));
    }
}
