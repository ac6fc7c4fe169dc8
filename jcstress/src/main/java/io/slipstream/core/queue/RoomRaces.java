package io.slipstream.core.queue;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIZ_Result;

/**
 * A full queue of many consumers, of which one has claimed the first element and may not have emptied its slot yet,
 * when the producer comes to that slot again. It stands in the package of the queues to reach their parts.
 */
public final class RoomRaces {
    private RoomRaces() {}

    /** Two offers find room for no more than was taken, and what they add is behind what was there. */
    @JCStressTest
    @Outcome(
            id = {"1, 2, true", "1, 23, true"},
            expect = Expect.ACCEPTABLE,
            desc = "in order and within the bound")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the bound was broken, or an element lost, doubled or out of order")
    @State
    public static class RoomOfOneToMany {
        final OneToManyQueue<Integer> queue = new OneToManyQueue<>(2);
        private int accepted;

        /** Fills it. */
        public RoomOfOneToMany() {
            queue.offer(1);
            queue.offer(2);
        }

        boolean offer(int element) {
            return queue.offer(element);
        }

        /** Offers twice. */
        @Actor
        public void producer() {
            if (offer(3)) {
                accepted++;
            }
            if (offer(4)) {
                accepted++;
            }
        }

        /** Takes one; one is there. */
        @Actor
        public void consumer(IIZ_Result result) {
            Integer taken = queue.poll();
            result.r1 = taken == null ? 0 : taken;
        }

        /** Looks at the rest. The first offer or the second may have found room; 3 stands for either. */
        @Arbiter
        public void rest(IIZ_Result result) {
            for (int element : queue) {
                result.r2 = 10 * result.r2 + Math.min(element, 3);
            }
            result.r3 = queue.size() == 1 + accepted;
        }
    }

    /** Broken twin: takes a slot that was claimed for one that is free. Must be found out. */
    @JCStressTest
    @JCStressMeta(RoomOfOneToMany.class)
    @State
    public static class BrokenRoomOfOneToMany extends RoomOfOneToMany {
        /** Fills it. */
        public BrokenRoomOfOneToMany() {}

        @Override
        boolean offer(int element) {
            long index = queue.producerIndex.getPlain();
            if (index - queue.consumerIndex.getAcquire() >= queue.capacity()) {
                return false;
            }
            queue.slotRelease(index, element);
            queue.producerIndex.setRelease(index + 1);
            return true;
        }

        /** Offers twice. */
        @Override
        @Actor
        public void producer() {
            super.producer();
        }

        /** Takes one; one is there. */
        @Override
        @Actor
        public void consumer(IIZ_Result result) {
            super.consumer(result);
        }

        /** Looks at the rest. */
        @Override
        @Arbiter
        public void rest(IIZ_Result result) {
            super.rest(result);
        }
    }
}
