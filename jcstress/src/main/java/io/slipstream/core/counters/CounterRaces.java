package io.slipstream.core.counters;

import io.slipstream.core.memory.Region;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A counter and what it counts. They stand in this package to make a counter without a file. */
public final class CounterRaces {
    private CounterRaces() {
    }

    /** Who reads a value sees what its owner did before. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "not counted yet")
    @Outcome(id = {"0, 1", "1, 1"}, expect = Expect.ACCEPTABLE, desc = "done, and perhaps counted")
    @Outcome(expect = Expect.FORBIDDEN, desc = "counted before it was done")
    @State
    public static class CountedWork {
        private final Region region = Region.allocate(Long.BYTES);
        private final Counter counter = new Counter(region, 0);
        private int work;

        /** Works and counts. */
        @Actor
        public void owner() {
            work = 1;
            counter.addRelease(1);
        }

        /** Reads. */
        @Actor
        public void reader(II_Result result) {
            result.r1 = (int) counter.getAcquire();
            result.r2 = work;
        }

        /** Gives the memory back. */
        @Arbiter
        public void free(II_Result result) {
            region.close();
        }
    }

    /** Broken twin: counts first. Must be found out. */
    @JCStressTest
    @JCStressMeta(CountedWork.class)
    @State
    public static class BrokenCount {
        private final Region region = Region.allocate(Long.BYTES);
        private final Counter counter = new Counter(region, 0);
        private volatile int work;

        /** Counts and works. */
        @Actor
        public void owner() {
            counter.addRelease(1);
            Thread.onSpinWait();
            work = 1;
        }

        /** Reads. */
        @Actor
        public void reader(II_Result result) {
            result.r1 = (int) counter.getAcquire();
            result.r2 = work;
        }

        /** Gives the memory back. */
        @Arbiter
        public void free(II_Result result) {
            region.close();
        }
    }
}
