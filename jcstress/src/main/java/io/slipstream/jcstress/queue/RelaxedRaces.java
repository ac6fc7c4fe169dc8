package io.slipstream.jcstress.queue;

import io.slipstream.core.queue.BoundedQueue;
import io.slipstream.core.queue.GrowingManyToOneQueue;
import io.slipstream.core.queue.ManyToManyQueue;
import io.slipstream.core.queue.ManyToOneQueue;
import io.slipstream.core.queue.OneToManyQueue;
import io.slipstream.core.queue.OneToOneQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

import java.util.ArrayList;
import java.util.List;

/**
 * Two threads that use {@code relaxedOffer} and {@code relaxedPoll} at once. Either may be refused for no reason of the
 * queue's own; what was accepted is there once, whole and in order.
 */
@Outcome(id = RelaxedRaces.RIGHT, expect = Expect.ACCEPTABLE, desc = "what was accepted is there once and in order")
@Outcome(expect = Expect.FORBIDDEN, desc = "lost, doubled, out of order, or not whole")
public abstract class RelaxedRaces {
    static final String RIGHT = "right";

    private static final int MOST = 4;

    final BoundedQueue<Box> queue;
    final Side first = new Side();
    final Side second = new Side();
    private final int before;

    /**
     * An element with fields that nothing but the queue publishes: whose it is, 0 for what was there before, and which
     * one of his.
     */
    static final class Box {
        int owner = -1;
        int number = -1;
    }

    /** What one thread has done; its own alone until both have ended. */
    static final class Side {
        int accepted;
        int taken;
        final int[] owners = new int[MOST];
        final int[] numbers = new int[MOST];

        void took(Box box) {
            owners[taken] = box.owner;
            numbers[taken++] = box.number;
        }
    }

    /** Begins with so many elements. */
    RelaxedRaces(BoundedQueue<Box> queue, int before) {
        this.queue = queue;
        this.before = before;
        for (int i = 0; i < before; i++) {
            queue.offer(box(0, i));
        }
    }

    static Box box(int owner, int number) {
        Box box = new Box();
        box.owner = owner;
        box.number = number;
        return box;
    }

    final void offer(Side side) {
        if (queue.relaxedOffer(box(side == first ? 1 : 2, side.accepted))) {
            side.accepted++;
        }
    }

    final void poll(Side side) {
        Box box = queue.relaxedPoll();
        if (box != null) {
            side.took(box);
        }
    }

    /** Takes the rest, and returns {@link #RIGHT}, or what is wrong. */
    final String verdict() {
        Side rest = new Side();
        // A poll would wait for an element that a broken twin has lost.
        for (Box box = queue.relaxedPoll(); box != null && rest.taken < MOST; box = queue.relaxedPoll()) {
            rest.took(box);
        }
        List<String> expected = new ArrayList<>();
        expect(expected, 0, before);
        expect(expected, 1, first.accepted);
        expect(expected, 2, second.accepted);
        List<String> found = names(first);
        found.addAll(names(second));
        found.addAll(names(rest));
        found.sort(null);
        return !found.equals(expected) ? "accepted " + expected + ", but found " + found
                : isInOrder(first, rest) && isInOrder(second, rest) ? RIGHT
                : "out of order: " + names(first) + names(second) + " and left " + names(rest);
    }

    private static void expect(List<String> elements, int owner, int count) {
        for (int i = 0; i < count; i++) {
            elements.add(name(owner, i));
        }
    }

    private static List<String> names(Side side) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < side.taken; i++) {
            names.add(name(side.owners[i], side.numbers[i]));
        }
        return names;
    }

    private static String name(int owner, int number) {
        return owner + "." + number;
    }

    /** What was there before comes first, and the elements of each producer come as they were offered. */
    private static boolean isInOrder(Side side, Side rest) {
        int[] next = new int[3];
        boolean othersSeen = false;
        for (int i = 0; i < side.taken + rest.taken; i++) {
            Side from = i < side.taken ? side : rest;
            int at = i < side.taken ? i : i - side.taken;
            int owner = from.owners[at];
            if (from.numbers[at] < next[owner] || owner == 0 && othersSeen) {
                return false;
            }
            next[owner] = from.numbers[at] + 1;
            othersSeen |= owner != 0;
        }
        return true;
    }

    /**
     * A producer and a consumer of a queue OneToOne with one place free, where the second offer needs what the first
     * poll sets free.
     */
    @JCStressTest
    @JCStressMeta(RelaxedRaces.class)
    @State
    public static class OneToOne extends RelaxedRaces {
        /** A queue with an element. */
        public OneToOne() {
            super(new OneToOneQueue<>(2), 1);
        }

        /** Offers twice. */
        @Actor
        public void first() {
            offer(first);
            offer(first);
        }

        /** Polls twice. */
        @Actor
        public void second() {
            poll(second);
            poll(second);
        }

        /** Looks what has become of all. */
        @Arbiter
        public void rest(L_Result result) {
            result.r1 = verdict();
        }
    }

    /** The same of a queue ManyToOne. */
    @JCStressTest
    @JCStressMeta(RelaxedRaces.class)
    @State
    public static class ManyToOne extends RelaxedRaces {
        /** A queue with an element. */
        public ManyToOne() {
            super(new ManyToOneQueue<>(2), 1);
        }

        /** Offers twice. */
        @Actor
        public void first() {
            offer(first);
            offer(first);
        }

        /** Polls twice. */
        @Actor
        public void second() {
            poll(second);
            poll(second);
        }

        /** Looks what has become of all. */
        @Arbiter
        public void rest(L_Result result) {
            result.r1 = verdict();
        }
    }

    /** The same of a queue OneToMany. */
    @JCStressTest
    @JCStressMeta(RelaxedRaces.class)
    @State
    public static class OneToMany extends RelaxedRaces {
        /** A queue with an element. */
        public OneToMany() {
            super(new OneToManyQueue<>(2), 1);
        }

        /** Offers twice. */
        @Actor
        public void first() {
            offer(first);
            offer(first);
        }

        /** Polls twice. */
        @Actor
        public void second() {
            poll(second);
            poll(second);
        }

        /** Looks what has become of all. */
        @Arbiter
        public void rest(L_Result result) {
            result.r1 = verdict();
        }
    }

    /** The same of a queue ManyToMany. */
    @JCStressTest
    @JCStressMeta(RelaxedRaces.class)
    @State
    public static class ManyToMany extends RelaxedRaces {
        /** A queue with an element. */
        public ManyToMany() {
            super(new ManyToManyQueue<>(2), 1);
        }

        /** Offers twice. */
        @Actor
        public void first() {
            offer(first);
            offer(first);
        }

        /** Polls twice. */
        @Actor
        public void second() {
            poll(second);
            poll(second);
        }

        /** Looks what has become of all. */
        @Arbiter
        public void rest(L_Result result) {
            result.r1 = verdict();
        }
    }

    /** The same of a queue that grows meanwhile. */
    @JCStressTest
    @JCStressMeta(RelaxedRaces.class)
    @State
    public static class Growing extends RelaxedRaces {
        /** A queue with an element. */
        public Growing() {
            super(new GrowingManyToOneQueue<>(2, 4), 1);
        }

        /** Offers twice. */
        @Actor
        public void first() {
            offer(first);
            offer(first);
        }

        /** Polls twice. */
        @Actor
        public void second() {
            poll(second);
            poll(second);
        }

        /** Looks what has become of all. */
        @Arbiter
        public void rest(L_Result result) {
            result.r1 = verdict();
        }
    }

    /** Two producers of a queue ManyToOne that has not room for all. */
    @JCStressTest
    @JCStressMeta(RelaxedRaces.class)
    @State
    public static class ProducersToOne extends RelaxedRaces {
        /** An empty queue. */
        public ProducersToOne() {
            super(new ManyToOneQueue<>(2), 0);
        }

        /** Offers twice. */
        @Actor
        public void first() {
            offer(first);
            offer(first);
        }

        /** Offers twice. */
        @Actor
        public void second() {
            offer(second);
            offer(second);
        }

        /** Looks what has become of all. */
        @Arbiter
        public void rest(L_Result result) {
            result.r1 = verdict();
        }
    }

    /** Two producers of a queue ManyToMany that has not room for all. */
    @JCStressTest
    @JCStressMeta(RelaxedRaces.class)
    @State
    public static class ProducersToMany extends RelaxedRaces {
        /** An empty queue. */
        public ProducersToMany() {
            super(new ManyToManyQueue<>(2), 0);
        }

        /** Offers twice. */
        @Actor
        public void first() {
            offer(first);
            offer(first);
        }

        /** Offers twice. */
        @Actor
        public void second() {
            offer(second);
            offer(second);
        }

        /** Looks what has become of all. */
        @Arbiter
        public void rest(L_Result result) {
            result.r1 = verdict();
        }
    }

    /** Two producers of a queue that grows meanwhile. */
    @JCStressTest
    @JCStressMeta(RelaxedRaces.class)
    @State
    public static class ProducersWhileItGrows extends RelaxedRaces {
        /** An empty queue. */
        public ProducersWhileItGrows() {
            super(new GrowingManyToOneQueue<>(2, 4), 0);
        }

        /** Offers twice. */
        @Actor
        public void first() {
            offer(first);
            offer(first);
        }

        /** Offers twice. */
        @Actor
        public void second() {
            offer(second);
            offer(second);
        }

        /** Looks what has become of all. */
        @Arbiter
        public void rest(L_Result result) {
            result.r1 = verdict();
        }
    }

    /** Two consumers of a queue OneToMany. */
    @JCStressTest
    @JCStressMeta(RelaxedRaces.class)
    @State
    public static class ConsumersOfOne extends RelaxedRaces {
        /** A queue with elements. */
        public ConsumersOfOne() {
            super(new OneToManyQueue<>(4), 3);
        }

        /** Polls twice. */
        @Actor
        public void first() {
            poll(first);
            poll(first);
        }

        /** Polls twice. */
        @Actor
        public void second() {
            poll(second);
            poll(second);
        }

        /** Looks what has become of all. */
        @Arbiter
        public void rest(L_Result result) {
            result.r1 = verdict();
        }
    }

    /** Two consumers of a queue ManyToMany. */
    @JCStressTest
    @JCStressMeta(RelaxedRaces.class)
    @State
    public static class ConsumersOfMany extends RelaxedRaces {
        /** A queue with elements. */
        public ConsumersOfMany() {
            super(new ManyToManyQueue<>(4), 3);
        }

        /** Polls twice. */
        @Actor
        public void first() {
            poll(first);
            poll(first);
        }

        /** Polls twice. */
        @Actor
        public void second() {
            poll(second);
            poll(second);
        }

        /** Looks what has become of all. */
        @Arbiter
        public void rest(L_Result result) {
            result.r1 = verdict();
        }
    }

    /** Two threads that produce and consume, so that a slot goes from one to the other and back. */
    @JCStressTest
    @JCStressMeta(RelaxedRaces.class)
    @State
    public static class BothSides extends RelaxedRaces {
        /** A queue with an element. */
        public BothSides() {
            super(new ManyToManyQueue<>(2), 1);
        }

        /** Offers and polls. */
        @Actor
        public void first() {
            offer(first);
            poll(first);
        }

        /** Offers and polls. */
        @Actor
        public void second() {
            offer(second);
            poll(second);
        }

        /** Looks what has become of all. */
        @Arbiter
        public void rest(L_Result result) {
            result.r1 = verdict();
        }
    }

    /** Broken twin: looks first, and does not look at what it then takes. Must be found out. */
    @JCStressTest
    @JCStressMeta(RelaxedRaces.class)
    @State
    public static class BrokenRelaxedPoll extends RelaxedRaces {
        /** An empty queue. */
        public BrokenRelaxedPoll() {
            super(new OneToOneQueue<>(2), 0);
        }

        private void takeSeen(Side side) {
            Box seen = queue.peek();
            queue.relaxedPoll();
            if (seen != null) {
                side.took(seen);
            }
        }

        /** Offers twice. */
        @Actor
        public void first() {
            offer(first);
            offer(first);
        }

        /** Takes twice what it has seen. */
        @Actor
        public void second() {
            takeSeen(second);
            takeSeen(second);
        }

        /** Looks what has become of all. */
        @Arbiter
        public void rest(L_Result result) {
            result.r1 = verdict();
        }
    }

    /** Broken twin: two producers of a queue that is made for one. Must be found out. */
    @JCStressTest
    @JCStressMeta(RelaxedRaces.class)
    @State
    public static class BrokenRelaxedProducers extends RelaxedRaces {
        /** An empty queue. */
        public BrokenRelaxedProducers() {
            super(new OneToManyQueue<>(4), 0);
        }

        /** Offers twice. */
        @Actor
        public void first() {
            offer(first);
            offer(first);
        }

        /** Offers twice. */
        @Actor
        public void second() {
            offer(second);
            offer(second);
        }

        /** Looks what has become of all. */
        @Arbiter
        public void rest(L_Result result) {
            result.r1 = verdict();
        }
    }

    /** Broken twin: two consumers of a queue that is made for one. Must be found out. */
    @JCStressTest
    @JCStressMeta(RelaxedRaces.class)
    @State
    public static class BrokenRelaxedConsumers extends RelaxedRaces {
        /** A queue with elements. */
        public BrokenRelaxedConsumers() {
            super(new ManyToOneQueue<>(4), 3);
        }

        /** Polls twice. */
        @Actor
        public void first() {
            poll(first);
            poll(first);
        }

        /** Polls twice. */
        @Actor
        public void second() {
            poll(second);
            poll(second);
        }

        /** Looks what has become of all. */
        @Arbiter
        public void rest(L_Result result) {
            result.r1 = verdict();
        }
    }

    /**
     * Broken twin: two threads that produce and consume, with a queue that is made for one of each. Must be found out.
     */
    @JCStressTest
    @JCStressMeta(RelaxedRaces.class)
    @State
    public static class BrokenRelaxedBothSides extends RelaxedRaces {
        /** A queue with an element. */
        public BrokenRelaxedBothSides() {
            super(new OneToOneQueue<>(2), 1);
        }

        /** Offers and polls. */
        @Actor
        public void first() {
            offer(first);
            poll(first);
        }

        /** Offers and polls. */
        @Actor
        public void second() {
            offer(second);
            poll(second);
        }

        /** Looks what has become of all. */
        @Arbiter
        public void rest(L_Result result) {
            result.r1 = verdict();
        }
    }
}
