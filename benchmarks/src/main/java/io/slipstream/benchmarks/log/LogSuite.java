package io.slipstream.benchmarks.log;

import io.slipstream.benchmarks.suite.Comparison;
import io.slipstream.benchmarks.suite.Plan;
import io.slipstream.benchmarks.suite.Suite;
import io.slipstream.benchmarks.suite.Unit;
import java.util.ArrayList;
import java.util.List;

/** Logging. */
public final class LogSuite implements Suite {
    private static final Unit RATE = Unit.throughput("M messages/s");
    private static final Unit NANOS = Unit.cost("ns/call");
    private static final long GAP_NANOS = 20_000;

    @Override
    public String name() {
        return "log";
    }

    /** Log4j 2 without garbage, as its manual says. */
    @Override
    public List<String> jvmOptions() {
        return List.of(
                "-Xms1g",
                "-Xmx1g",
                "-Dlog4j2.contextSelector=org.apache.logging.log4j.core.async.AsyncLoggerContextSelector",
                "-Dlog4j2.enableThreadlocals=true",
                "-Dlog4j2.enableDirectEncoders=true",
                "-Dlog4j2.garbagefreeThreadContextMap=true",
                "-Dlog4j2.asyncLoggerWaitStrategy=Block");
    }

    @Override
    public List<Comparison> comparisons(boolean quick) {
        int messages = quick ? 1_000_000 : 3_000_000;
        List<Comparison> all = new ArrayList<>();
        for (Competitors peer : List.of(Competitors.LOG4J, Competitors.LOGBACK)) {
            String name = peer == Competitors.LOG4J ? "Log4j 2.26.1 all async" : "Logback 1.6.6 async";
            all.add(new Comparison(
                    "text, 1 thread",
                    RATE,
                    name,
                    2.0,
                    Plan.of(quick),
                    () -> new LogContest(Competitors.TEXT, peer, 1, messages, 0, 0)));
            all.add(new Comparison(
                    "text, 4 threads",
                    RATE,
                    name,
                    2.0,
                    Plan.of(quick),
                    () -> new LogContest(Competitors.TEXT, peer, 4, messages / 4, 0, 0)));
            if (peer == Competitors.LOG4J) {
                all.add(new Comparison(
                        "SLF4J, text, 1 thread",
                        RATE,
                        name + ", its provider",
                        1.5,
                        Plan.of(quick),
                        () -> new LogContest(Competitors.SLF4J, Competitors.LOG4J_SLF4J, 1, messages, 0, 0)));
            }
            all.add(new Comparison(
                    "binary, 1 thread",
                    RATE,
                    name,
                    5.0,
                    Plan.of(quick),
                    () -> new LogContest(Competitors.BINARY, peer, 1, messages, 0, 0)));
            for (int threads : new int[] {1, 2, 4}) {
                int each = messages / 30 / threads;
                long gap = GAP_NANOS * threads;
                all.add(new Comparison(
                        "call at 50,000/s, " + threads + " threads, median",
                        NANOS,
                        name,
                        0.5,
                        Plan.of(quick),
                        () -> new LogContest(Competitors.TEXT, peer, threads, each, gap, 0.5)));
                all.add(new Comparison(
                        "call at 50,000/s, " + threads + " threads, 99.9 %",
                        NANOS,
                        name,
                        0.5,
                        Plan.of(quick),
                        () -> new LogContest(Competitors.TEXT, peer, threads, each, gap, 0.999)));
            }
        }
        return all;
    }
}
