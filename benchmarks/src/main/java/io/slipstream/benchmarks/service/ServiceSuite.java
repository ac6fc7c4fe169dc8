package io.slipstream.benchmarks.service;

import io.slipstream.benchmarks.suite.Comparison;
import io.slipstream.benchmarks.suite.Plan;
import io.slipstream.benchmarks.suite.Suite;
import io.slipstream.benchmarks.suite.Unit;
import io.slipstream.journal.config.Durability;
import java.util.List;

/** A whole service: what it answers, how soon, how it starts and saves, and what it holds. */
public final class ServiceSuite implements Suite {
    private static final Unit RATE = Unit.throughput("commands/s");
    private static final Unit MICROS = Unit.cost("us");
    private static final Unit MILLIS = Unit.cost("ms");
    private static final Unit PERCENT = Unit.throughput("%");
    private static final Unit BYTES = Unit.cost("bytes");
    private static final String HAND = "loop written by hand";
    private static final long MEGABYTE = 1 << 20;

    @Override
    public String name() {
        return "service";
    }

    @Override
    public List<Comparison> comparisons(boolean quick) {
        Plan plan = quick ? new Plan(1, 2, 3) : Plan.FULL;
        Plan once = quick ? new Plan(1, 0, 2) : new Plan(1, 0, 5);
        int many = quick ? 200_000 : 1_000_000;
        long state = (quick ? 64 : 1024) * MEGABYTE;
        return List.of(
                new Comparison(
                        "8 x 64 in flight, SYNC",
                        RATE,
                        HAND,
                        0.9,
                        plan,
                        () -> new NativeContest(Durability.SYNC, many)),
                new Comparison(
                        "8 x 64 in flight, PROCESS",
                        RATE,
                        HAND,
                        null,
                        plan,
                        () -> new NativeContest(Durability.PROCESS, many)),
                new Comparison(
                        "8 x 64 in flight, SYNC, own client",
                        RATE,
                        "bare client",
                        null,
                        plan,
                        () -> new ClientContest(Durability.SYNC, many)),
                new Comparison(
                        "persistent machine, SYNC",
                        RATE,
                        "Pekko Persistence 1.7.0, LevelDB",
                        20.0,
                        plan,
                        () -> new ActorContest(many, many / 100)),
                new Comparison(
                        "ledger, batches of 8,190, SYNC",
                        Unit.throughput("transfers/s"),
                        "a million",
                        1.0,
                        plan,
                        () -> new LedgerContest(quick ? 60 : 300)),
                new Comparison(
                        "one in flight, PROCESS, median",
                        MICROS,
                        "bare NIO echo",
                        1.5,
                        plan,
                        () -> new RoundTripContest(quick ? 20_000 : 100_000, 50)),
                new Comparison(
                        "one in flight, PROCESS, 99.9 %",
                        MICROS, "bare NIO echo", 1.5, plan, () -> new RoundTripContest(quick ? 20_000 : 100_000, 99.9)),
                new Comparison(
                        "start, snapshot and tail",
                        MILLIS,
                        "reading both once",
                        3.0,
                        plan,
                        () -> new StartContest(state, quick ? 100_000 : 1_000_000)),
                new Comparison(
                        "longest wait by a snapshot",
                        MILLIS,
                        "stop-the-world",
                        0.1,
                        once,
                        () -> new PauseContest(state)),
                new Comparison(
                        "3 x capacity, answered",
                        RATE,
                        "own peak",
                        0.95,
                        once,
                        () -> new OverloadContest(quick ? 3 : 20)),
                new Comparison(
                        "first second at 20,000/s, warmed up",
                        PERCENT,
                        "all",
                        0.99,
                        once,
                        () -> new FirstSecondContest(true)),
                new Comparison(
                        "first second at 20,000/s, cold",
                        PERCENT,
                        "all",
                        null,
                        once,
                        () -> new FirstSecondContest(false)),
                new Comparison(
                        "idle connection", BYTES, "8 KiB", 1.0, once, () -> new IdleContest(quick ? 2_000 : 10_000)),
                new Comparison(
                        "garbage of a raw command",
                        BYTES,
                        "1 byte",
                        1.0,
                        plan,
                        () -> new GarbageContest(false, 1_000_000)),
                new Comparison(
                        "garbage of a typed command",
                        BYTES,
                        "its records",
                        1.0,
                        plan,
                        () -> new GarbageContest(true, 1_000_000)));
    }
}
