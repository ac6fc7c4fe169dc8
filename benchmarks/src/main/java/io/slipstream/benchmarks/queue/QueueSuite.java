package io.slipstream.benchmarks.queue;

import io.slipstream.benchmarks.suite.Comparison;
import io.slipstream.benchmarks.suite.Plan;
import io.slipstream.benchmarks.suite.Suite;
import io.slipstream.benchmarks.suite.Unit;
import io.slipstream.core.queue.ManyToManyQueue;
import io.slipstream.core.queue.ManyToOneQueue;
import io.slipstream.core.queue.OneToOneQueue;
import io.slipstream.core.thread.WaitStrategy;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.function.Supplier;
import org.jctools.queues.MpmcArrayQueue;
import org.jctools.queues.MpscArrayQueue;
import org.jctools.queues.SpscArrayQueue;

/** The bounded queues. */
public final class QueueSuite implements Suite {
    private static final int CAPACITY = 1 << 15;
    private static final Unit UNIT = Unit.throughput("M elements/s");

    private record Peer(String name, double target, int elements, Supplier<? extends Queue<Integer>> queue) {}

    @Override
    public String name() {
        return "queue";
    }

    @Override
    public List<String> jvmOptions() {
        return List.of("--sun-misc-unsafe-memory-access=allow", "-Xms2g", "-Xmx2g");
    }

    @Override
    public List<Comparison> comparisons(boolean quick) {
        Supplier<Queue<Integer>> oneToOne = () -> new OneToOneQueue<>(CAPACITY);
        Supplier<Queue<Integer>> manyToOne = () -> new ManyToOneQueue<>(CAPACITY);
        Supplier<Queue<Integer>> manyToMany = () -> new ManyToManyQueue<>(CAPACITY);
        Peer spsc = new Peer("JCTools 4.0.7 SpscArrayQueue", 1, 60_000_000, () -> new SpscArrayQueue<>(CAPACITY));
        Peer blocking = new Peer("ArrayBlockingQueue", 10, 16_000_000, () -> new ArrayBlockingQueue<>(CAPACITY));
        Peer mpsc = new Peer("JCTools 4.0.7 MpscArrayQueue", 1, 30_000_000, () -> new MpscArrayQueue<>(CAPACITY));
        Peer transfer = new Peer("LinkedTransferQueue", 3, 8_000_000, LinkedTransferQueue::new);
        Peer mpmc = new Peer("JCTools 4.0.7 MpmcArrayQueue", 1, 30_000_000, () -> new MpmcArrayQueue<>(CAPACITY));
        Peer linked = new Peer("ConcurrentLinkedQueue", 2, 16_000_000, ConcurrentLinkedQueue::new);
        return List.of(
                comparison(quick, "one-to-one", 1, 1, oneToOne, spsc),
                comparison(quick, "one-to-one", 1, 1, oneToOne, blocking),
                new Comparison(
                        "one-to-one, put and take",
                        UNIT,
                        "ArrayBlockingQueue",
                        10.0,
                        Plan.of(quick),
                        () -> new BlockingContest(
                                () -> new OneToOneQueue<Integer>(CAPACITY).waiting(WaitStrategy.parking()),
                                () -> new ArrayBlockingQueue<>(CAPACITY),
                                16_000_000)),
                comparison(quick, "many-to-one, 2 producers", 2, 1, manyToOne, mpsc),
                comparison(quick, "many-to-one, 2 producers", 2, 1, manyToOne, transfer),
                comparison(quick, "many-to-many, 1 x 1", 1, 1, manyToMany, mpmc),
                comparison(quick, "many-to-many, 1 x 1", 1, 1, manyToMany, linked),
                comparison(quick, "many-to-many, 2 x 2", 2, 2, manyToMany, mpmc),
                comparison(quick, "many-to-many, 2 x 2", 2, 2, manyToMany, linked));
    }

    private static Comparison comparison(
            boolean quick,
            String name,
            int producers,
            int consumers,
            Supplier<? extends Queue<Integer>> ours,
            Peer peer) {
        return new Comparison(
                name,
                UNIT,
                peer.name,
                peer.target,
                Plan.of(quick),
                () -> new QueueContest(ours, peer.queue, producers, consumers, peer.elements));
    }
}
