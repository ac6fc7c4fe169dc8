package io.slipstream.core.counters;

import io.slipstream.core.memory.Region;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** A counter and what it counts. They stand in this package to make a counter without a file. */
public final class CounterRaces {
    private CounterRaces() {}

    /** Who reads a value sees what its owner did before. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "not counted yet")
    @Outcome(
            id = {"0, 1", "1, 1"},
            expect = Expect.ACCEPTABLE,
            desc = "done, and perhaps counted")
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

    /** Who reads while a place is given to another counter sees one of the two or none, and no mixture. */
    @JCStressTest
    @Outcome(
            id = {"0", "1", "2"},
            expect = Expect.ACCEPTABLE,
            desc = "none, the first or the second")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a mixture")
    @State
    public static class ReplacedCounter {
        private final Place place = new Place();
        private final Counter first = place.counters.add(CounterType.COUNT, "1", "1");

        /** Creates the first counter, whose value is that of its texts. */
        public ReplacedCounter() {
            first.setRelease(1);
        }

        /** Frees the first one and adds the second. */
        @Actor
        public void owner() {
            place.counters.free(first);
            place.counters.add(CounterType.DEPTH, "2", "2");
        }

        /** Reads. */
        @Actor
        public void reader(I_Result result) {
            result.r1 = place.read();
        }

        /** Gives the memory back. */
        @Arbiter
        public void free(I_Result result) {
            place.region.close();
        }
    }

    /** Broken twin: writes the second one over the first. Must be found out. */
    @JCStressTest
    @JCStressMeta(ReplacedCounter.class)
    @State
    public static class BrokenReplacedCounter {
        private final Place place = new Place();

        /** Creates the first counter. */
        public BrokenReplacedCounter() {
            place.counters.add(CounterType.COUNT, "1", "1").setRelease(1);
        }

        /** Writes the owner, waits and writes the rest. */
        @Actor
        public void owner() {
            long at = CounterLayout.descriptor(0);
            place.region.putInt(at + CounterLayout.OWNER_AT, '2');
            Thread.onSpinWait();
            place.region.putIntRelease(at + CounterLayout.LABEL_AT, '2');
            place.region.putInt(at + CounterLayout.TYPE_AT, CounterType.DEPTH.code());
        }

        /** Reads. */
        @Actor
        public void reader(I_Result result) {
            result.r1 = place.read();
        }

        /** Gives the memory back. */
        @Arbiter
        public void free(I_Result result) {
            place.region.close();
        }
    }

    /** One place in memory. */
    private static final class Place {
        private final Region region = Region.allocate(CounterLayout.fileBytes(1));
        private final Counters counters = new Counters(Path.of("memory"), region, 1, false, null);
        private final CountersReader reader = new CountersReader(Path.of("memory"), region, 1);

        /** Returns the number of the counter that is seen, 0 if there is none, and -1 if it is a mixture. */
        int read() {
            List<CounterValue> seen;
            try {
                seen = reader.read();
            } catch (IOException e) {
                return -1;
            }
            if (seen.isEmpty()) {
                return 0;
            }
            CounterValue value = seen.getFirst();
            int number = value.type() == CounterType.COUNT ? 1 : 2;
            String text = Integer.toString(number);
            boolean isWhole =
                    value.owner().equals(text) && value.label().equals(text) && value.value() == (number == 1 ? 1 : 0);
            return isWhole ? number : -1;
        }
    }
}
