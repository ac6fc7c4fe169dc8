package io.slipstream.lab.experiment.jvm;

import io.slipstream.lab.Card;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Round;
import io.slipstream.lab.Verdict;
import java.time.Duration;
import java.util.Arrays;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** B9: one call site, more and more implementations behind it. */
public final class InterfaceDispatch implements Experiment {
    private static final int CALLS = 10_000;
    private static final String MACHINE = "Sandy Bridge 2.4 GHz, April 2012";

    @Override
    public Card card() {
        return Card.of("B9", "Interface dispatch", Group.JVM)
                .question("What does a call through an interface cost when one, two, three or four implementations have"
                        + " been seen at its call site?")
                .reported("One implementation", "0.32 ns (3.1 bn calls/s)", MACHINE, "calls", 1, "ns/op")
                .reported("Two", "0.98 ns (1.02 bn calls/s)", MACHINE, "calls", 2, "ns/op")
                .reported("Three", "3.2 ns (308 M calls/s)", MACHINE, "calls", 3, "ns/op")
                .reported("Four", "3.6 ns (275 M calls/s)", MACHINE, "calls", 4, "ns/op")
                .plot(Plot.bars("ns/op").log())
                .takes(Duration.ofSeconds(16), Duration.ofMinutes(4))
                .rule("Holds when a call takes at least 3 times as long with four implementations as with one,"
                        + " no longer with"
                        + " two than with four, and at least 1.5 times as long with three as with two (reported: 3.3).")
                .explanation("""
                    The JIT compiler looks at what a call site has met. One receiver: the callee is inlined behind
                    a check. Two: inlined behind two checks. From three on it calls through the interface table,
                    and everything that inlining would have made possible (constants folded, loops unrolled) is
                    lost with it. The call itself is cheap; the lost inlining is what shows.

                    Keep the hot call sites of a service monomorphic: one handler class per stage, not one loop
                    that serves all.

                    The article loaded one implementation after the other into one JVM and called each 50 million
                    times. Here each number of implementations has JVMs of its own, in which JMH lets them take
                    turns for a certain time.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        for (int kinds = 1; kinds <= 4; kinds++) {
            plan.addBenchmark("calls", kinds, Calls.class, "call").param("kinds", kinds);
        }
    }

    @Override
    public Verdict judge(Findings found) {
        return found.claims(
                () -> found.ratio("ns/op", "calls", 4, "calls", 1).atLeast(3, "Four implementations against one:"),
                () -> found.ratio("ns/op", "calls", 4, "calls", 2).atLeast(1, "Four against two:"),
                () -> found.ratio("ns/op", "calls", 3, "calls", 2).atLeast(1.5, "Three against two:"));
    }

    /** All kinds pass through one call site, in turn. */
    @State(Scope.Thread)
    @OperationsPerInvocation(CALLS)
    public static class Calls {
        @Param({"1", "2", "3", "4"})
        private int kinds;

        private Step[] steps = {};
        private int next;
        private int passed;
        private long start;
        private long result;

        @Setup
        public void load() {
            steps = Arrays.copyOf(new Step[] {new Step1(), new Step2(), new Step3(), new Step4()}, kinds);
        }

        @Benchmark
        public long call() {
            passed = next;
            Step step = steps[passed];
            next = passed + 1 == steps.length ? 0 : passed + 1;
            long value = start;
            for (int i = 0; i < CALLS; i++) {
                value = step.apply(value);
            }
            result = value;
            return value;
        }

        /** What the steps compute, without a call. */
        @TearDown(Level.Iteration)
        public void check() {
            int kind = passed + 1;
            long expected = start;
            for (int i = 0; i < CALLS; i++) {
                expected = Long.rotateLeft(expected, kind) + kind;
            }
            Round.expect("value", expected, result);
        }
    }

    /** No plain sums, which a compiler would work out without a loop. */
    private interface Step {
        long apply(long value);
    }

    private static final class Step1 implements Step {
        @Override
        public long apply(long value) {
            return Long.rotateLeft(value, 1) + 1;
        }
    }

    private static final class Step2 implements Step {
        @Override
        public long apply(long value) {
            return Long.rotateLeft(value, 2) + 2;
        }
    }

    private static final class Step3 implements Step {
        @Override
        public long apply(long value) {
            return Long.rotateLeft(value, 3) + 3;
        }
    }

    private static final class Step4 implements Step {
        @Override
        public long apply(long value) {
            return Long.rotateLeft(value, 4) + 4;
        }
    }
}
