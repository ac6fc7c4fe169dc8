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

/** C3: the price of each further argument of a call that is not inlined. */
public final class CallArguments implements Experiment {
    private static final Operation[] OPERATIONS = {new A(), new B(), new C(), new D()};

    /** What the four operations add together. */
    private static final int A_TURN = 1 + 2 + 3 + 4;

    @Override
    public Card card() {
        return Card.of("C3", "Arguments of a call", Group.JVM)
                .question("What does each further argument add to a call that the JIT compiler cannot inline?")
                .reported(
                        "Each further argument",
                        "a few cycles (a call takes about 12)",
                        "Sandy Bridge, April 2012",
                        "calls",
                        5,
                        "ns/call")
                .plot(Plot.lines("ns/call", "arguments").linear())
                .takes(Duration.ofSeconds(4), Duration.ofSeconds(35))
                .rule("The source tells no factor, so the line is ours: holds when a call with five arguments takes at"
                        + " least 1.15 times as long as one with a single argument.")
                .explanation("""
                    Four implementations share each call site, so every call is a real one. On x86-64 the receiver
                    and the first five integer arguments travel in registers. Loading a register costs a fraction of
                    a cycle, and the core does it while it waits for the jump. The sixth argument goes through the
                    stack.

                    Do not bend a signature to save an argument. Keep hot call sites down to one or two
                    implementations instead; then there is no call at all (B9).\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        int calls = plan.count("calls", 100, 4_000_000, 50_000_000);
        plan.add("calls", () -> round -> {
            measure(round, 1, calls, CallArguments::one);
            measure(round, 3, calls, CallArguments::three);
            measure(round, 5, calls, CallArguments::five);
            measure(round, 9, calls, CallArguments::nine);
        });
    }

    @Override
    public Verdict judge(Findings found) {
        return found.ratio("ns/call", "calls", 5, "calls", 1).atLeast(1.15, "Five arguments against one:");
    }

    @FunctionalInterface
    private interface Loop {
        long run(Operation[] operations, int calls);
    }

    private static void measure(Round round, int arguments, int calls, Loop loop) {
        long start = System.nanoTime();
        long sum = loop.run(OPERATIONS, calls);
        round.record("ns/call", arguments, (double) (System.nanoTime() - start) / calls);
        round.check("sum", (long) calls / OPERATIONS.length * A_TURN, sum);
    }

    private static long one(Operation[] operations, int calls) {
        long sum = 0;
        for (int i = 0; i < calls; i++) {
            sum = operations[i & 3].one(sum);
        }
        return sum;
    }

    private static long three(Operation[] operations, int calls) {
        long sum = 0;
        for (int i = 0; i < calls; i++) {
            sum = operations[i & 3].three(sum, i, i + 1);
        }
        return sum;
    }

    private static long five(Operation[] operations, int calls) {
        long sum = 0;
        for (int i = 0; i < calls; i++) {
            sum = operations[i & 3].five(sum, i, i + 1, i + 2, i + 3);
        }
        return sum;
    }

    private static long nine(Operation[] operations, int calls) {
        long sum = 0;
        for (int i = 0; i < calls; i++) {
            sum = operations[i & 3].nine(sum, i, i + 1, i + 2, i + 3, i + 4, i + 5, i + 6, i + 7);
        }
        return sum;
    }

    /** Adds a constant to the first argument; the others are only carried. */
    private interface Operation {
        long one(long a);

        long three(long a, long b, long c);

        long five(long a, long b, long c, long d, long e);

        long nine(long a, long b, long c, long d, long e, long f, long g, long h, long i);
    }

    private static final class A implements Operation {
        @Override
        public long one(long a) {
            return a + 1;
        }

        @Override
        public long three(long a, long b, long c) {
            return a + 1;
        }

        @Override
        public long five(long a, long b, long c, long d, long e) {
            return a + 1;
        }

        @Override
        public long nine(long a, long b, long c, long d, long e, long f, long g, long h, long i) {
            return a + 1;
        }
    }

    private static final class B implements Operation {
        @Override
        public long one(long a) {
            return a + 2;
        }

        @Override
        public long three(long a, long b, long c) {
            return a + 2;
        }

        @Override
        public long five(long a, long b, long c, long d, long e) {
            return a + 2;
        }

        @Override
        public long nine(long a, long b, long c, long d, long e, long f, long g, long h, long i) {
            return a + 2;
        }
    }

    private static final class C implements Operation {
        @Override
        public long one(long a) {
            return a + 3;
        }

        @Override
        public long three(long a, long b, long c) {
            return a + 3;
        }

        @Override
        public long five(long a, long b, long c, long d, long e) {
            return a + 3;
        }

        @Override
        public long nine(long a, long b, long c, long d, long e, long f, long g, long h, long i) {
            return a + 3;
        }
    }

    private static final class D implements Operation {
        @Override
        public long one(long a) {
            return a + 4;
        }

        @Override
        public long three(long a, long b, long c) {
            return a + 4;
        }

        @Override
        public long five(long a, long b, long c, long d, long e) {
            return a + 4;
        }

        @Override
        public long nine(long a, long b, long c, long d, long e, long f, long g, long h, long i) {
            return a + 4;
        }
    }
}
