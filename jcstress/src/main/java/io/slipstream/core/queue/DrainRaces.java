package io.slipstream.core.queue;

import java.util.function.Consumer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A full queue of two is drained while two more elements come. It stands in the package of the queues to reach their
 * parts.
 */
@Outcome(
        id = {"12", "123", "1234"},
        expect = Expect.ACCEPTABLE,
        desc = "all that was accepted, in order")
@Outcome(expect = Expect.FORBIDDEN, desc = "lost, doubled or out of order")
public abstract class DrainRaces {
    final BoundedQueue<Integer> queue;
    private int accepted = 2;
    private int taken;
    private int digits;

    DrainRaces(BoundedQueue<Integer> queue) {
        this.queue = queue;
        queue.offer(1);
        queue.offer(2);
    }

    void take(Integer digit) {
        taken++;
        digits = 10 * digits + digit;
    }

    void offerTwo() {
        for (int i = 3; i <= 4 && queue.offer(i); i++) {
            accepted++;
        }
    }

    int drain(Consumer<Integer> consumer) {
        return queue.drain(consumer, 3);
    }

    /** Takes the rest; gives all that was taken, as digits, or 0 if it is not as many as were accepted. */
    int all() {
        queue.drain(this::take);
        return taken == accepted ? digits : 0;
    }

    /** A queue OneToOne. */
    @JCStressTest
    @JCStressMeta(DrainRaces.class)
    @State
    public static class OneToOne extends DrainRaces {
        /** A full queue. */
        public OneToOne() {
            super(new OneToOneQueue<>(2));
        }

        /** Offers. */
        @Actor
        public void producer() {
            offerTwo();
        }

        /** Drains. */
        @Actor
        public void consumer() {
            drain(this::take);
        }

        /** Looks what was taken. */
        @Arbiter
        public void rest(I_Result result) {
            result.r1 = all();
        }
    }

    /** A queue ManyToOne. */
    @JCStressTest
    @JCStressMeta(DrainRaces.class)
    @State
    public static class ManyToOne extends DrainRaces {
        /** A full queue. */
        public ManyToOne() {
            super(new ManyToOneQueue<>(2));
        }

        /** Offers. */
        @Actor
        public void producer() {
            offerTwo();
        }

        /** Drains. */
        @Actor
        public void consumer() {
            drain(this::take);
        }

        /** Looks what was taken. */
        @Arbiter
        public void rest(I_Result result) {
            result.r1 = all();
        }
    }

    /** A queue Growing. */
    @JCStressTest
    @JCStressMeta(DrainRaces.class)
    @State
    public static class Growing extends DrainRaces {
        /** A full queue. */
        public Growing() {
            super(new GrowingManyToOneQueue<>(2, 2));
        }

        /** Offers. */
        @Actor
        public void producer() {
            offerTwo();
        }

        /** Drains. */
        @Actor
        public void consumer() {
            drain(this::take);
        }

        /** Looks what was taken. */
        @Arbiter
        public void rest(I_Result result) {
            result.r1 = all();
        }
    }

    /** A queue OneToMany. */
    @JCStressTest
    @JCStressMeta(DrainRaces.class)
    @State
    public static class OneToMany extends DrainRaces {
        /** A full queue. */
        public OneToMany() {
            super(new OneToManyQueue<>(2));
        }

        /** Offers. */
        @Actor
        public void producer() {
            offerTwo();
        }

        /** Drains. */
        @Actor
        public void consumer() {
            drain(this::take);
        }

        /** Looks what was taken. */
        @Arbiter
        public void rest(I_Result result) {
            result.r1 = all();
        }
    }

    /** A queue ManyToMany. */
    @JCStressTest
    @JCStressMeta(DrainRaces.class)
    @State
    public static class ManyToMany extends DrainRaces {
        /** A full queue. */
        public ManyToMany() {
            super(new ManyToManyQueue<>(2));
        }

        /** Offers. */
        @Actor
        public void producer() {
            offerTwo();
        }

        /** Drains. */
        @Actor
        public void consumer() {
            drain(this::take);
        }

        /** Looks what was taken. */
        @Arbiter
        public void rest(I_Result result) {
            result.r1 = all();
        }
    }

    /** Broken twin: gives the places of the batch back before it has emptied them. Must be found out. */
    @JCStressTest
    @JCStressMeta(DrainRaces.class)
    @State
    public static class BrokenDrain extends DrainRaces {
        /** A full queue. */
        public BrokenDrain() {
            super(new ManyToOneQueue<>(2));
        }

        @Override
        int drain(Consumer<Integer> consumer) {
            ManyToOneQueue<Integer> broken = (ManyToOneQueue<Integer>) queue;
            long first = broken.consumerIndex.getPlain();
            long end = first;
            while (end < first + 2 && broken.slotAcquire(end) != null) {
                end++;
            }
            broken.consumerIndex.setRelease(end);
            Thread.yield();
            for (long index = first; index < end; index++) {
                Object element = broken.slotAcquire(index);
                broken.slotRelease(index, null);
                consumer.accept(ArrayBackedQueue.element(element));
            }
            return (int) (end - first);
        }

        /** Offers. */
        @Actor
        public void producer() {
            offerTwo();
        }

        /** Drains. */
        @Actor
        public void consumer() {
            drain(this::take);
        }

        /** Looks what was taken. */
        @Arbiter
        public void rest(I_Result result) {
            result.r1 = all();
        }
    }
}
