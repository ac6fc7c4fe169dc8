package io.slipstream.benchmarks.queue;

import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.benchmarks.suite.Threads;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.function.Supplier;

/** One producer that puts and one consumer that takes, each asleep while it must wait. */
final class BlockingContest implements Contest {
    private final Supplier<? extends BlockingQueue<Integer>> ours;
    private final Supplier<? extends BlockingQueue<Integer>> peer;
    private final int elements;

    BlockingContest(
            Supplier<? extends BlockingQueue<Integer>> ours,
            Supplier<? extends BlockingQueue<Integer>> peer,
            int elements) {
        this.ours = ours;
        this.peer = peer;
        this.elements = elements;
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
    private double run(BlockingQueue<Integer> queue) throws Exception {
        Integer element = 1_000_000;
        long[] sum = new long[1];
        long nanos = Threads.race(List.of(
                () -> {
                    for (int i = 0; i < elements; i++) {
                        queue.put(element);
                    }
                    return null;
                },
                () -> {
                    long taken = 0;
                    for (int i = 0; i < elements; i++) {
                        taken += queue.take();
                    }
                    sum[0] = taken;
                    return null;
                }));
        if (sum[0] != (long) elements * element) {
            throw new IllegalStateException("elements were lost or doubled");
        }
        return elements * 1_000.0 / nanos;
    }
}
