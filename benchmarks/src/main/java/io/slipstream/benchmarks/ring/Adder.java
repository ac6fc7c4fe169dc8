package io.slipstream.benchmarks.ring;

import io.slipstream.core.handler.EventHandler;
import java.util.concurrent.CountDownLatch;

/** The stage of every shape, for both competitors: adds the events up and tells when it has seen the last. */
@SuppressWarnings("unused")
final class Adder implements EventHandler<Event>, com.lmax.disruptor.EventHandler<Event> {
    /* Keeps what this handler writes away from its neighbours on the heap, for both competitors alike. */
    private final long[] before = new long[32];
    private final Cell cell = new Cell();
    private final long[] behind = new long[32];
    private final long last;
    private final CountDownLatch done;

    private static final class Cell {
        private long sum;
    }

    Adder(long events, CountDownLatch done) {
        this.last = events - 1;
        this.done = done;
    }

    @Override
    public void onEvent(Event event, long sequence, boolean endOfBatch) {
        cell.sum += event.read();
        if (sequence == last) {
            done.countDown();
        }
    }

    void check(long expected) {
        if (cell.sum != expected) {
            throw new AssertionError("a stage has the sum " + cell.sum + " instead of " + expected);
        }
    }

    @Override
    public void onStart() {}

    @Override
    public void onShutdown() {}

    @Override
    public void onTimeout(long sequence) {}

    @Override
    public void onBatchStart(long batchSize, long queueDepth) {}
}
