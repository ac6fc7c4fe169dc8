package io.slipstream.core.queue;

import io.slipstream.core.thread.WaitStrategy;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

import static org.assertj.core.api.Assertions.assertThat;

/** Racing producers and consumers over tiny queues, with each element accounted for. */
@Timeout(60)
class QueueStressTest {
    private static final int ELEMENTS = 12_000;

    /** One element, which carries who made it and its place in that producer's order. */
    private record Item(int producer, int number) {
    }

    /** How the threads of one run go about it. */
    private enum Mode { STRICT, RELAXED, BATCH, BLOCKING }

    @ParameterizedTest
    @EnumSource
    void losesDoublesAndReordersNothing(QueueKinds kind) throws Exception {
        for (Mode mode : Mode.values()) {
            for (int capacity : new int[] {1, 4, 64}) {
                run(kind, mode, capacity);
            }
        }
    }

    private static void run(QueueKinds kind, Mode mode, int capacity) throws Exception {
        int producers = kind.manyProducers ? 3 : 1;
        int consumers = kind.manyConsumers ? 3 : 1;
        BoundedQueue<Item> queue = kind.create(capacity);
        WaitingQueue<Item> waiting = queue.waiting(WaitStrategy.parking());
        AtomicLong left = new AtomicLong((long) ELEMENTS / producers * producers);
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<?>> producing = new ArrayList<>();
            for (int p = 0; p < producers; p++) {
                int producer = p;
                producing.add(threads.submit(() -> produce(queue, waiting, mode, producer, ELEMENTS / producers)));
            }
            List<Future<List<Item>>> consuming = new ArrayList<>();
            for (int c = 0; c < consumers; c++) {
                consuming.add(threads.submit(consume(queue, waiting, mode, left)));
            }
            int[] counts = new int[producers];
            for (Future<List<Item>> taken : consuming) {
                int[] last = new int[producers];
                for (Item item : taken.get()) {
                    counts[item.producer]++;
                    assertThat(item.number).as("%s %s %s", kind, mode, capacity).isGreaterThan(last[item.producer]);
                    last[item.producer] = item.number;
                }
            }
            for (Future<?> producer : producing) {
                producer.get();
            }
            assertThat(counts).containsOnly(ELEMENTS / producers);
            assertThat(queue).isEmpty();
        }
    }

    private static Void produce(BoundedQueue<Item> queue, WaitingQueue<Item> waiting, Mode mode, int producer, int count)
            throws InterruptedException {
        int[] number = {0};
        while (number[0] < count) {
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
                    if (queue.fill(() -> new Item(producer, ++number[0]), Math.min(5, count - number[0])) == 0) {
                        Thread.yield();
                    }
                }
                case BLOCKING -> waiting.put(new Item(producer, ++number[0]));
            }
        }
        return null;
    }

    private static Callable<List<Item>> consume(
            BoundedQueue<Item> queue, WaitingQueue<Item> waiting, Mode mode, AtomicLong left) {
        List<Item> taken = new ArrayList<>();
        return () -> {
            while (true) {
                if (mode == Mode.BLOCKING) {
                    if (left.getAndDecrement() <= 0) {
                        return taken;
                    }
                    taken.add(waiting.take());
                } else {
                    int before = taken.size();
                    switch (mode) {
                        case STRICT -> addIfAny(taken, queue.poll());
                        case RELAXED -> addIfAny(taken, queue.relaxedPoll());
                        default -> queue.drain(taken::add, 3);
                    }
                    left.addAndGet(before - taken.size());
                    if (taken.size() == before) {
                        if (left.get() <= 0) {
                            return taken;
                        }
                        Thread.yield();
                    }
                }
            }
        };
    }

    private static void addIfAny(List<Item> taken, @org.jspecify.annotations.Nullable Item item) {
        if (item != null) {
            taken.add(item);
        }
    }
}
