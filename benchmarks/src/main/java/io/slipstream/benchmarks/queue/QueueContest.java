package io.slipstream.benchmarks.queue;

import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.benchmarks.suite.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/**
 * One queue against another under the same threads. A thread that finds the queue full or empty yields, as there may be
 * more threads than cores. Each round checks that every element has arrived, by their sum.
 */
final class QueueContest implements Contest {
    private static final int DIFFERENT_ELEMENTS = 1024;

    private final Supplier<? extends Queue<Integer>> ours;
    private final Supplier<? extends Queue<Integer>> peer;
    private final int producers;
    private final int consumers;
    private final int perProducer;
    private final Integer[] elements = new Integer[DIFFERENT_ELEMENTS];

    QueueContest(
            Supplier<? extends Queue<Integer>> ours,
            Supplier<? extends Queue<Integer>> peer,
            int producers,
            int consumers,
            int elementsInAll) {
        this.ours = ours;
        this.peer = peer;
        this.producers = producers;
        this.consumers = consumers;
        this.perProducer = elementsInAll / producers;
        for (int i = 0; i < DIFFERENT_ELEMENTS; i++) {
            elements[i] = 1_000_000 + i;
        }
    }

    @Override
    public double ours() throws Exception {
        return run(ours.get());
    }

    @Override
    public double peer() throws Exception {
        return run(peer.get());
    }

    /** Returns millions of elements a second. */
    private double run(Queue<Integer> queue) throws Exception {
        long[] sums = new long[consumers];
        List<Callable<?>> parts = new ArrayList<>();
        for (int i = 0; i < producers; i++) {
            parts.add(() -> {
                produce(queue);
                return null;
            });
        }
        int perConsumer = producers * perProducer / consumers;
        for (int i = 0; i < consumers; i++) {
            int consumer = i;
            parts.add(() -> {
                sums[consumer] = consume(queue, perConsumer);
                return null;
            });
        }
        long nanos = Threads.race(parts);
        check(sums);
        return (double) producers * perProducer * 1_000 / nanos;
    }

    private void produce(Queue<Integer> queue) {
        Integer[] all = elements;
        int count = perProducer;
        for (int i = 0; i < count; i++) {
            Integer element = all[i & DIFFERENT_ELEMENTS - 1];
            while (!queue.offer(element)) {
                Thread.yield();
            }
        }
    }

    private static long consume(Queue<Integer> queue, int count) {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            Integer element;
            while ((element = queue.poll()) == null) {
                Thread.yield();
            }
            sum += element;
        }
        return sum;
    }

    private void check(long[] sums) {
        long expected = 0;
        for (int i = 0; i < perProducer; i++) {
            expected += elements[i & DIFFERENT_ELEMENTS - 1];
        }
        long actual = 0;
        for (long sum : sums) {
            actual += sum;
        }
        if (actual != expected * producers) {
            throw new IllegalStateException(
                    "elements were lost or doubled: their sum is " + actual + " instead of " + expected * producers);
        }
    }
}
