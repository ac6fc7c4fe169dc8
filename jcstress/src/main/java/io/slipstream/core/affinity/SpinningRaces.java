package io.slipstream.core.affinity;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Threads that begin to spin at once, on a machine that has too few CPUs for them. It stands in the package of what
 * counts them.
 */
public final class SpinningRaces {
    private static final Topology ONE_CPU = machine(CpuSet.of(0));
    private static final Topology FOUR_CPUS = machine(CpuSet.of(0, 1, 2, 3));
    private static final Optional<CpuSet> PLACE = Optional.of(CpuSet.of(3));

    private SpinningRaces() {}

    private static Topology machine(CpuSet cpus) {
        return new Topology(List.of(), List.of(), cpus, OptionalDouble.empty(), false, "made for this");
    }

    /** Two are too many: one warning is given, and both are counted. */
    @JCStressTest
    @Outcome(id = "1, 3", expect = Expect.ACCEPTABLE, desc = "told once")
    @Outcome(expect = Expect.FORBIDDEN, desc = "told twice or not at all, or counted wrongly")
    @State
    public static class TwoSpinners {
        private final AtomicInteger warnings;
        private final SpinningThreads threads;

        /** One spins already. */
        public TwoSpinners() {
            this(new AtomicInteger());
        }

        private TwoSpinners(AtomicInteger warnings) {
            this(warnings, new SpinningThreads(() -> ONE_CPU, Optional::empty, _ -> warnings.incrementAndGet()));
        }

        TwoSpinners(AtomicInteger warnings, SpinningThreads threads) {
            this.warnings = warnings;
            this.threads = threads;
            threads.enterHere();
        }

        /** Begins to spin. */
        @Actor
        public void first() {
            threads.enterHere();
        }

        /** Begins to spin. */
        @Actor
        public void second() {
            threads.enterHere();
        }

        /** Looks what was told and counted. */
        @Arbiter
        public void rest(II_Result result) {
            result.r1 = warnings.get();
            result.r2 = threads.countHere();
        }
    }

    /** Broken twin: looks whether it was told, and then notes that it is. Must be found out. */
    @JCStressTest
    @JCStressMeta(TwoSpinners.class)
    @State
    public static class BrokenWarning extends TwoSpinners {
        /** One spins already. */
        public BrokenWarning() {
            this(new AtomicInteger());
        }

        private BrokenWarning(AtomicInteger warnings) {
            super(warnings, new Careless(_ -> warnings.incrementAndGet()));
        }

        /** Begins to spin. */
        @Override
        @Actor
        public void first() {
            super.first();
        }

        /** Begins to spin. */
        @Override
        @Actor
        public void second() {
            super.second();
        }

        /** Looks what was told and counted. */
        @Override
        @Arbiter
        public void rest(II_Result result) {
            super.rest(result);
        }
    }

    /** Two that are pinned to one CPU of several: one warning is given. */
    @JCStressTest
    @Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "told once")
    @Outcome(expect = Expect.FORBIDDEN, desc = "told twice or not at all, or counted wrongly")
    @State
    public static class TwoOnOneCpu {
        private final AtomicInteger warnings;
        private final SpinningThreads threads;

        /** Nobody spins yet. */
        public TwoOnOneCpu() {
            this(new AtomicInteger());
        }

        private TwoOnOneCpu(AtomicInteger warnings) {
            this(warnings, new SpinningThreads(() -> FOUR_CPUS, () -> PLACE, _ -> warnings.incrementAndGet()));
        }

        TwoOnOneCpu(AtomicInteger warnings, SpinningThreads threads) {
            this.warnings = warnings;
            this.threads = threads;
        }

        /** Begins to spin. */
        @Actor
        public void first() {
            threads.enterHere();
        }

        /** Begins to spin. */
        @Actor
        public void second() {
            threads.enterHere();
        }

        /** Looks what was told and counted. */
        @Arbiter
        public void rest(II_Result result) {
            result.r1 = warnings.get();
            result.r2 = threads.countHere();
        }
    }

    /** Broken twin: is not listed for a moment after it has looked. Must be found out. */
    @JCStressTest
    @JCStressMeta(TwoOnOneCpu.class)
    @State
    public static class BrokenEntrance extends TwoOnOneCpu {
        /** Nobody spins yet. */
        public BrokenEntrance() {
            this(new AtomicInteger());
        }

        private BrokenEntrance(AtomicInteger warnings) {
            super(warnings, new Hasty(_ -> warnings.incrementAndGet()));
        }

        /** Begins to spin. */
        @Override
        @Actor
        public void first() {
            super.first();
        }

        /** Begins to spin. */
        @Override
        @Actor
        public void second() {
            super.second();
        }

        /** Looks what was told and counted. */
        @Override
        @Arbiter
        public void rest(II_Result result) {
            super.rest(result);
        }
    }

    private static final class Hasty extends SpinningThreads {
        Hasty(Consumer<String> listener) {
            super(() -> FOUR_CPUS, () -> PLACE, listener);
        }

        @Override
        Entry enterHere() {
            Entry early = list();
            tellIfTooMany();
            early.close();
            return list();
        }
    }

    private static final class Careless extends SpinningThreads {
        Careless(Consumer<String> listener) {
            super(() -> ONE_CPU, Optional::empty, listener);
        }

        @Override
        boolean isFirstToTell() {
            boolean first = !told.get();
            Thread.onSpinWait();
            told.set(true);
            return first;
        }
    }
}
