package io.slipstream.core.queue;

import java.util.function.Supplier;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A producer adds two elements by one call beside a consumer. It stands in the package of the queues to reach their
 * parts.
 */
@Outcome(id = "12", expect = Expect.ACCEPTABLE, desc = "both, whole and in order")
@Outcome(expect = Expect.FORBIDDEN, desc = "lost, doubled, out of order, or not whole")
public abstract class FillRaces {
    final BoundedQueue<Box> queue;
    private int made;
    private int digits;

    /** An element with a field that nothing but the queue publishes. */
    static final class Box {
        int digit;
    }

    FillRaces(BoundedQueue<Box> queue) {
        this.queue = queue;
    }

    Box make() {
        Box box = new Box();
        box.digit = ++made;
        return box;
    }

    void fill(Supplier<Box> supplier) {
        queue.fill(supplier, 2);
    }

    void pollTwo() {
        for (int i = 0; i < 2; i++) {
            Box box = queue.poll();
            if (box != null) {
                digits = 10 * digits + (box.digit == 0 ? 9 : box.digit);
            }
        }
    }

    int all() {
        pollTwo();
        return digits;
    }

    /** A queue OneToOne. */
    @JCStressTest
    @JCStressMeta(FillRaces.class)
    @State
    public static class OneToOne extends FillRaces {
        /** An empty queue. */
        public OneToOne() {
            super(new OneToOneQueue<>(2));
        }

        /** Fills. */
        @Actor
        public void producer() {
            fill(this::make);
        }

        /** Polls. */
        @Actor
        public void consumer() {
            pollTwo();
        }

        /** Polls the rest. */
        @Arbiter
        public void rest(I_Result result) {
            result.r1 = all();
        }
    }

    /** A queue ManyToOne. */
    @JCStressTest
    @JCStressMeta(FillRaces.class)
    @State
    public static class ManyToOne extends FillRaces {
        /** An empty queue. */
        public ManyToOne() {
            super(new ManyToOneQueue<>(2));
        }

        /** Fills. */
        @Actor
        public void producer() {
            fill(this::make);
        }

        /** Polls. */
        @Actor
        public void consumer() {
            pollTwo();
        }

        /** Polls the rest. */
        @Arbiter
        public void rest(I_Result result) {
            result.r1 = all();
        }
    }

    /** A queue Growing. */
    @JCStressTest
    @JCStressMeta(FillRaces.class)
    @State
    public static class Growing extends FillRaces {
        /** An empty queue. */
        public Growing() {
            super(new GrowingManyToOneQueue<>(4, 4));
        }

        /** Fills. */
        @Actor
        public void producer() {
            fill(this::make);
        }

        /** Polls. */
        @Actor
        public void consumer() {
            pollTwo();
        }

        /** Polls the rest. */
        @Arbiter
        public void rest(I_Result result) {
            result.r1 = all();
        }
    }

    /** A queue OneToMany. */
    @JCStressTest
    @JCStressMeta(FillRaces.class)
    @State
    public static class OneToMany extends FillRaces {
        /** An empty queue. */
        public OneToMany() {
            super(new OneToManyQueue<>(2));
        }

        /** Fills. */
        @Actor
        public void producer() {
            fill(this::make);
        }

        /** Polls. */
        @Actor
        public void consumer() {
            pollTwo();
        }

        /** Polls the rest. */
        @Arbiter
        public void rest(I_Result result) {
            result.r1 = all();
        }
    }

    /** A queue ManyToMany. */
    @JCStressTest
    @JCStressMeta(FillRaces.class)
    @State
    public static class ManyToMany extends FillRaces {
        /** An empty queue. */
        public ManyToMany() {
            super(new ManyToManyQueue<>(2));
        }

        /** Fills. */
        @Actor
        public void producer() {
            fill(this::make);
        }

        /** Polls. */
        @Actor
        public void consumer() {
            pollTwo();
        }

        /** Polls the rest. */
        @Arbiter
        public void rest(I_Result result) {
            result.r1 = all();
        }
    }

    /** Broken twin: shows the index of the batch before it has filled the slots. Must be found out. */
    @JCStressTest
    @JCStressMeta(FillRaces.class)
    @State
    public static class BrokenFill extends FillRaces {
        /** An empty queue. */
        public BrokenFill() {
            super(new OneToManyQueue<>(2));
        }

        @Override
        void fill(Supplier<Box> supplier) {
            OneToManyQueue<Box> broken = (OneToManyQueue<Box>) queue;
            long index = broken.producerIndex.getPlain();
            broken.producerIndex.setRelease(index + 2);
            broken.slotRelease(index, supplier.get());
            broken.slotRelease(index + 1, supplier.get());
        }

        @Override
        void pollTwo() {
            try {
                super.pollTwo();
            } catch (NullPointerException e) {
                // A poll that was let to a slot where nothing is; that element is missing at the end.
                return;
            }
        }

        /** Fills. */
        @Actor
        public void producer() {
            fill(this::make);
        }

        /** Polls. */
        @Actor
        public void consumer() {
            pollTwo();
        }

        /** Polls the rest. */
        @Arbiter
        public void rest(I_Result result) {
            result.r1 = all();
        }
    }
}
