package io.slipstream.lab.experiment;

import io.slipstream.lab.Card;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Verdict;
import io.slipstream.lab.Workload;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;

/** B31: the same store in four orders. */
final class MemoryBarriers implements Experiment {
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int SLOTS = 1024;

    @Override
    public Card card() {
        return Card.of("B31", "Memory barriers", Group.MEMORY)
                .question("What does a store cost when nobody else is near: plain, opaque, release and volatile?")
                .reported(
                        "Increment with a memory barrier",
                        "about 16 times a plain one",
                        "Westmere 2.4 GHz, 2011",
                        "volatile",
                        "",
                        "ns/op")
                .plot(Plot.bars("ns/op"))
                .takes(Duration.ofSeconds(11), Duration.ofMinutes(2))
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
                        as when it decides to sleep.""");
    }

    @Override
    public void plan(Plan plan) {
        long stores = plan.size(SLOTS, 30_000_000, 1_000_000_000);
        plan.add("plain", () -> stores(stores, (slots, i, value) -> SLOT.set(slots, i, value)));
        plan.add("opaque", () -> stores(stores, (slots, i, value) -> SLOT.setOpaque(slots, i, value)));
        plan.add("release", () -> stores(stores, (slots, i, value) -> SLOT.setRelease(slots, i, value)));
        plan.add("volatile", () -> stores(stores, (slots, i, value) -> SLOT.setVolatile(slots, i, value)));
    }

    @Override
    public Verdict judge(Findings found) {
        return Verdict.all(
                found.ratio("ns/op", "volatile", "release").atLeast(3, "Volatile against release:"),
                found.ratio("ns/op", "release", "opaque").atMost(1.5, "Release against opaque:"));
    }

    /** The only one in its JVM, and so inlined into the loop. */
    private interface Store {
        void set(long[] slots, int i, long value);
    }

    private static Workload stores(long stores, Store store) {
        long[] slots = new long[SLOTS];
        long rounds = stores / SLOTS;
        return round -> {
            long sum = 0;
            long start = System.nanoTime();
            for (long i = 0; i < rounds; i++) {
                sum += fill(slots, i, store);
            }
            round.nanosPerOp(System.nanoTime() - start, rounds * SLOTS);
            round.check("last value", rounds - 1 + SLOTS - 1, slots[SLOTS - 1]);
            round.check("loads saw something", 1, sum > 0 ? 1 : 0);
        };
    }

    /** Stores to every slot and reads another one after each store; returns the sum of what it read. */
    private static long fill(long[] slots, long from, Store store) {
        long sum = 0;
        for (int i = 0; i < SLOTS; i++) {
            store.set(slots, i, from + i);
            sum += (long) SLOT.getOpaque(slots, i ^ 1);
        }
        return sum;
    }
}
