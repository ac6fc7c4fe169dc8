package io.slipstream.lab.experiment;

import io.slipstream.lab.Card;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Verdict;
import io.slipstream.lab.Workload;
import java.time.Duration;

/** B9: one call site, more and more implementations behind it. */
final class InterfaceDispatch implements Experiment {
    private static final int CHUNK = 10_000;

    @Override
    public Card card() {
        return Card.of("B9", "Interface dispatch", Group.JVM)
                .question("What does a call through an interface cost when one, two, three or four implementations have"
                        + " been seen at its call site?")
                .reported("One implementation", "about 3 bn calls/s", "Nehalem, 2012", "calls", 1, "calls/s")
                .reported("Four", "275 M calls/s, about 12 cycles a call", "Nehalem, 2012", "calls", 4, "calls/s")
                .plot(Plot.bars("calls/s").log())
                .takes(Duration.ofSeconds(13), Duration.ofMinutes(3))
                .rule("Holds when calls with one implementation are at least 3 times as fast as with four, and two"
                        + " are not slower than four.")
                .explanation("""
                        The JIT compiler looks at what a call site has met. One receiver: the callee is inlined behind
                        a check. Two: inlined behind two checks. From three on it calls through the interface table,
                        and everything that inlining would have made possible (constants folded, loops unrolled) is
                        lost with it. The call itself is cheap; the lost inlining is what shows.

                        Keep the hot call sites of a service monomorphic: one handler class per stage, not one loop
                        that serves all.""");
    }

    @Override
    public void plan(Plan plan) {
        long calls = plan.size(CHUNK, 50_000_000, 500_000_000);
        for (int kinds = 1; kinds <= 4; kinds++) {
            int loaded = kinds;
            plan.add("calls", loaded, () -> calls(loaded, calls));
        }
    }

    @Override
    public Verdict judge(Findings found) {
        return Verdict.all(
                found.ratio("calls/s", "calls", 1, "calls", 4).atLeast(3, "One implementation against four:"),
                found.ratio("calls/s", "calls", 2, "calls", 4).atLeast(1, "Two against four:"));
    }

    private static Workload calls(int kinds, long calls) {
        Step[] all = {new Step1(), new Step2(), new Step3(), new Step4()};
        return round -> {
            long value = 0;
            long start = System.nanoTime();
            // All kinds pass through the one call site, each for its share.
            for (int kind = 0; kind < kinds; kind++) {
                for (long done = 0; done < calls / kinds; done += CHUNK) {
                    value = chunk(all[kind], value);
                }
            }
            long nanos = System.nanoTime() - start;
            long made = kinds * ((calls / kinds + CHUNK - 1) / CHUNK) * CHUNK;
            round.record("calls/s", made * 1e9 / nanos);
            round.nanosPerOp(nanos, made);
            round.check("value", expected(kinds, made / kinds), value);
        };
    }

    private static long chunk(Step step, long start) {
        long value = start;
        for (int i = 0; i < CHUNK; i++) {
            value = step.apply(value);
        }
        return value;
    }

    /** What the steps compute, without a call. They are no plain sums, which a compiler would work out without a loop. */
    private static long expected(int kinds, long callsEach) {
        long value = 0;
        for (int kind = 1; kind <= kinds; kind++) {
            for (long i = 0; i < callsEach; i++) {
                value = Long.rotateLeft(value, kind) + kind;
            }
        }
        return value;
    }

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
