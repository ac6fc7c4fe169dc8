package io.slipstream.core.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.slipstream.core.thread.WaitStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Racing producers and consumers over tiny queues, with each element accounted for. Where other processes keep the
 * cores busy a hand-over may take milliseconds; there each run ends after {@link #MOST_NANOS}, with fewer elements.
 */
class QueueStressTest {
    private static final int ELEMENTS = 12_000;
    private static final int LEAST_ELEMENTS = 300;
    private static final long MOST_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

    /** One element, which carries who made it and its place in that producer's order. */
    private record Item(int producer, int number) {
        /** Tells a consumer that nothing comes any more. */
        static final Item END = new Item(-1, 0);
    }

    /** How the threads of one run go about it. */
    private enum Mode {
        STRICT,
        RELAXED,
        BATCH,
        FAILING_BATCH,
        BLOCKING
    }

    @ParameterizedTest
    @EnumSource
    void losesDoublesAndReordersNothing(QueueKinds kind) throws Exception {
        for (Mode mode : Mode.values()) {
            for (int capacity : new int[] {1, 4, 64}) {
                run(kind, mode, capacity);
            }
        }
    }

    /**
     * A drain that takes a whole batch first, as it might to update an index once, and has forgotten the rest if the
     * consumer fails.
     */
    @Test
    void theCheckNoticesADrainThatLosesTheRestOfABatch() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> run(
                        QueueKinds.MANY_TO_ONE, Mode.FAILING_BATCH, 64, forgetful(QueueKinds.MANY_TO_ONE.create(64))));
    }

    private static BoundedQueue<Item> forgetful(BoundedQueue<Item> queue) {
        return new HookedQueue<>(queue) {
            @Override
            public int drain(Consumer<? super Item> consumer, int limit) {
                List<Item> batch = new ArrayList<>();
                int count = super.drain(batch::add, limit);
                batch.forEach(consumer);
                return count;
            }
        };
    }

    private static void run(QueueKinds kind, Mode mode, int capacity) throws Exception {
        run(kind, mode, capacity, kind.create(capacity));
    }

    private static void run(QueueKinds kind, Mode mode, int capacity, BoundedQueue<Item> queue) throws Exception {
        int producers = kind.manyProducers ? 3 : 1;
        int consumers = kind.manyConsumers ? 3 : 1;
        WaitingQueue<Item> waiting = queue.waiting(WaitStrategy.parking());
        long begin = System.nanoTime();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<Integer>> producing = new ArrayList<>();
            for (int p = 0; p < producers; p++) {
                int producer = p;
                producing.add(threads.submit(() -> produce(queue, waiting, mode, producer, producers, begin)));
            }
            List<Future<List<Item>>> consuming = new ArrayList<>();
            for (int c = 0; c < consumers; c++) {
                consuming.add(threads.submit(() -> consume(queue, waiting, mode)));
            }
            int[] made = new int[producers];
            for (int p = 0; p < producers; p++) {
                made[p] = producing.get(p).get();
            }
            end(mode == Mode.BLOCKING ? waiting : queue, consuming);
            int[] counts = new int[producers];
            for (Future<List<Item>> taken : consuming) {
                int[] last = new int[producers];
                for (Item item : taken.get()) {
                    counts[item.producer]++;
                    assertThat(item.number).as("%s %s %s", kind, mode, capacity).isGreaterThan(last[item.producer]);
                    last[item.producer] = item.number;
                }
            }
            assertThat(counts).as("%s %s %s", kind, mode, capacity).containsExactly(made);
            assertThat(queue).allMatch(item -> item == Item.END);
        }
    }

    /** Tells every consumer; one that takes several at a time may take more than one end. */
    private static void end(Queue<Item> queue, List<Future<List<Item>>> consuming) {
        while (!consuming.stream().allMatch(Future::isDone)) {
            if (!queue.offer(Item.END)) {
                Thread.yield();
            }
        }
    }

    /** Returns how many were made. */
    private static int produce(
            BoundedQueue<Item> queue, WaitingQueue<Item> waiting, Mode mode, int producer, int producers, long begin)
            throws InterruptedException {
        int[] number = {0};
        int most = ELEMENTS / producers;
        int least = LEAST_ELEMENTS / producers;
        while (number[0] < most && (number[0] < least || System.nanoTime() - begin < MOST_NANOS)) {
            switch (mode) {
                case STRICT -> {
                    Item item = new Item(producer, ++number[0]);
                    while (!queue.offer(item)) {
                        Thread.yield();
                    }
                }
                case RELAXED -> {
                    Item item = new Item(producer, ++number[0]);
                    while (!queue.relaxedOffer(item)) {
                        Thread.yield();
                    }
                }
                case BATCH -> {
                    if (queue.fill(() -> new Item(producer, ++number[0]), Math.min(5, most - number[0])) == 0) {
                        Thread.yield();
                    }
                }
                case FAILING_BATCH -> {
                    if (fillUntilAFailure(queue, producer, number, Math.min(5, most - number[0])) == 0) {
                        Thread.yield();
                    }
                }
                case BLOCKING -> waiting.put(new Item(producer, ++number[0]));
            }
        }
        return number[0];
    }

    private static List<Item> consume(BoundedQueue<Item> queue, WaitingQueue<Item> waiting, Mode mode)
            throws InterruptedException {
        List<Item> taken = new ArrayList<>();
        while (taken.isEmpty() || taken.getLast() != Item.END) {
            int before = taken.size();
            switch (mode) {
                case STRICT -> addIfAny(taken, queue.poll());
                case RELAXED -> addIfAny(taken, queue.relaxedPoll());
                case BATCH -> queue.drain(taken::add, 3);
                case FAILING_BATCH -> drainUntilAFailure(queue, taken);
                case BLOCKING -> taken.add(waiting.take());
            }
            if (taken.size() == before) {
                Thread.yield();
            }
        }
        taken.removeIf(item -> item == Item.END);
        return taken;
    }

    /** The supplier fails before each seventh element, without having made it. Returns how many were added. */
    private static int fillUntilAFailure(BoundedQueue<Item> queue, int producer, int[] number, int limit) {
        int before = number[0];
        try {
            queue.fill(
                    () -> {
                        if (number[0] % 7 == 0 && number[0] > before) {
                            throw new IllegalStateException("the supplier fails");
                        }
                        return new Item(producer, ++number[0]);
                    },
                    limit);
        } catch (IllegalStateException e) {
            assertThat(e).hasMessage("the supplier fails");
        }
        return number[0] - before;
    }

    /** The consumer fails on each fifth element, after it was noted. */
    private static void drainUntilAFailure(BoundedQueue<Item> queue, List<Item> taken) {
        try {
            queue.drain(
                    item -> {
                        taken.add(item);
                        if (item.number % 5 == 0 && item != Item.END) {
                            throw new IllegalStateException("the consumer fails");
                        }
                    },
                    3);
        } catch (IllegalStateException e) {
            assertThat(e).hasMessage("the consumer fails");
        }
    }

    private static void addIfAny(List<Item> taken, @Nullable Item item) {
        if (item != null) {
            taken.add(item);
        }
    }
}
