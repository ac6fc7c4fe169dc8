package io.slipstream.lab.experiment.memory;

import io.slipstream.lab.Card;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Round;
import io.slipstream.lab.Verdict;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** B31: the same store in four orders. */
public final class MemoryBarriers implements Experiment {
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int SLOTS = 1024;

    @Override
    public Card card() {
        return Card.of("B31", "Memory barriers", Group.MEMORY)
                .question("What does a store cost when nobody else is near: plain, opaque, release and volatile?")
                .reported(
                        "Increment with a memory barrier",
                        "9.4 ns (16 times a plain one)",
                        "Westmere 2.4 GHz, September 2011",
                        "volatile",
                        "",
                        "ns/op")
                .plot(Plot.bars("ns/op"))
                .leavesToFull("plain stores")
                .takes(Duration.ofSeconds(12), Duration.ofMinutes(4))
                .rule("Holds when a volatile store costs at least 3 times a release store, and a release store at"
                        + " most 1.5 times an opaque one.")
                .explanation("""
                    A store goes into the core's store buffer and becomes visible later. Opaque and release only
                    forbid reorderings, which on x86 the hardware keeps anyway; they cost nothing there, and an
                    ordinary instruction on ARM. A volatile store must not be passed by later loads, so the core
                    drains its store buffer before it goes on.

                    A load follows each store here, as in real code; where none does, the JIT compiler joins the
                    barriers of several stores into one.

                    Publish with release; use volatile only where a thread must see others' stores after its own,
                    as when it decides to sleep.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        for (String order : List.of("opaque", "release", "volatile")) {
            plan.addBenchmark(order, Stores.class, order + "Store");
        }
        if (plan.isComplete()) {
            plan.addBenchmark("plain", Stores.class, "plainStore");
        }
    }

    @Override
    public Verdict judge(Findings found) {
        return found.claims(
                () -> found.ratio("ns/op", "volatile", "release").atLeast(3, "Volatile against release:"),
                () -> found.ratio("ns/op", "release", "opaque").atMost(1.5, "Release against opaque:"));
    }

    /**
     * A store to every slot and a load of another one after each. The array is read into a local variable, because the
     * ordered accesses keep a compiler from reading the field once for the whole loop.
     */
    @State(Scope.Thread)
    @OperationsPerInvocation(SLOTS)
    public static class Stores {
        private final long[] slots = new long[SLOTS];
        private long from;

        @Benchmark
        public long plainStore() {
            long[] local = slots;
            long first = from++;
            long sum = 0;
            for (int i = 0; i < SLOTS; i++) {
                SLOT.set(local, i, first + i);
                sum += (long) SLOT.getOpaque(local, i ^ 1);
            }
            return sum;
        }

        @Benchmark
        public long opaqueStore() {
            long[] local = slots;
            long first = from++;
            long sum = 0;
            for (int i = 0; i < SLOTS; i++) {
                SLOT.setOpaque(local, i, first + i);
                sum += (long) SLOT.getOpaque(local, i ^ 1);
            }
            return sum;
        }

        @Benchmark
        public long releaseStore() {
            long[] local = slots;
            long first = from++;
            long sum = 0;
            for (int i = 0; i < SLOTS; i++) {
                SLOT.setRelease(local, i, first + i);
                sum += (long) SLOT.getOpaque(local, i ^ 1);
            }
            return sum;
        }

        @Benchmark
        public long volatileStore() {
            long[] local = slots;
            long first = from++;
            long sum = 0;
            for (int i = 0; i < SLOTS; i++) {
                SLOT.setVolatile(local, i, first + i);
                sum += (long) SLOT.getOpaque(local, i ^ 1);
            }
            return sum;
        }

        @TearDown(Level.Iteration)
        public void check() {
            Round.expect("last value", from - 1 + SLOTS - 1, slots[SLOTS - 1]);
        }
    }
}
