package io.slipstream.benchmarks.index;

import io.slipstream.benchmarks.suite.Contest;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** One map against another. Where an operation needs a full map, each has one for all rounds. */
final class MapContest implements Contest {
    private final Operation operation;
    private final Supplier<LongMap> ours;
    private final Supplier<LongMap> peer;
    private final long[] keys;
    private final int[] order;
    private final LongMap fullOurs;
    private final LongMap fullPeer;

    MapContest(Operation operation, Supplier<LongMap> ours, Supplier<LongMap> peer, int count) {
        this.operation = operation;
        this.ours = ours;
        this.peer = peer;
        this.keys = Operation.keys(count);
        this.order = shuffled(count);
        this.fullOurs = ours.get();
        this.fullPeer = peer.get();
        if (operation.needsFullMap()) {
            Operation.fill(fullOurs, keys);
            Operation.fill(fullPeer, keys);
        }
    }

    private static int[] shuffled(int count) {
        SplittableRandom random = new SplittableRandom(7);
        int[] order = IntStream.range(0, count).toArray();
        for (int i = count - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            int taken = order[i];
            order[i] = order[other];
            order[other] = taken;
        }
        return order;
    }

    @Override
    public double ours() {
        return run(fullOurs, ours);
    }

    @Override
    public double peer() {
        return run(fullPeer, peer);
    }

    private double run(LongMap full, Supplier<LongMap> empty) {
        if (operation.needsFullMap()) {
            return operation.run(full, keys, order);
        }
        try (LongMap map = empty.get()) {
            return operation.run(map, keys, order);
        }
    }

    @Override
    public void close() {
        fullOurs.close();
        fullPeer.close();
    }
}
