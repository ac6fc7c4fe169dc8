package io.slipstream.core.graph;

import io.slipstream.core.ring.Ring;
import io.slipstream.core.thread.Patience;
import io.slipstream.core.thread.Worker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * How a graph ends, and who waits for that: a stage stops, or somebody closes the graph.
 *
 * <pre>
 *   running ──▶ ring fails ──▶ workers told to stop ──▶ workers have ended ──▶ ring released, await() returns
 * </pre>
 */
final class Ending {
    private final Object graph;
    private final Ring ring;
    private final Nodes nodes;
    private final CountDownLatch ended = new CountDownLatch(1);
    private boolean closed;
    private volatile boolean hasRing;
    private volatile @Nullable Throwable failure;

    /** @param graph whose monitor guards the nodes */
    Ending(Object graph, Ring ring, Nodes nodes) {
        this.graph = graph;
        this.ring = ring;
        this.nodes = nodes;
    }

    /** Notes that the ring is the graph's, so that it fails when the graph ends. */
    void ownsRing() {
        hasRing = true;
    }

    /** Returns whether the end has begun. Only with the graph's monitor. */
    boolean isClosed() {
        return closed;
    }

    @Nullable
    Throwable failure() {
        return failure;
    }

    /**
     * Makes sure that the graph has not ended and its ring takes events. Only with the graph's monitor.
     *
     * @param action what somebody is about to do
     */
    void requireAlive(String action) {
        String reason = ring.failure();
        if (closed || reason != null) {
            throw new IllegalStateException("cannot " + action + ": "
                    + (reason == null
                            ? "the graph has ended; make a new graph"
                            : closed
                                    ? "the graph has ended, and its ring takes nothing any more (" + reason
                                            + "); make a new ring and a new graph"
                                    : "the ring takes nothing any more (" + reason
                                            + "); make a new ring and a new graph"));
        }
    }

    void stageFailed(Throwable thrown) {
        failed(
                thrown,
                thrown instanceof StageStoppedException
                        ? String.valueOf(thrown.getMessage())
                        : "a stage of the graph has failed: " + thrown);
        close();
    }

    /** Notes that the threads could not all be started; the caller then ends those that were. */
    void startFailed(Throwable thrown) {
        failed(thrown, "the graph could not start all of its threads: " + thrown);
    }

    private void failed(Throwable thrown, String reason) {
        synchronized (graph) {
            if (failure == null) {
                failure = thrown;
            }
        }
        ring.fail(reason, thrown);
    }

    void drain(Duration limit) throws InterruptedException, TimeoutException {
        requireNotOwnThread("drain");
        long goal = ring.claimed();
        long begin = System.nanoTime();
        long nanos = Patience.nanos(limit);
        while (lag(goal) > 0) {
            throwFailure();
            if (System.nanoTime() - begin >= nanos) {
                throw new TimeoutException("not drained after " + limit + ":\n" + picture());
            }
            if (ended.await(1, TimeUnit.MILLISECONDS) && lag(goal) > 0) {
                throwFailure();
                throw new IllegalStateException("the graph was closed before it was drained:\n" + picture());
            }
        }
        throwFailure();
    }

    private long lag(long goal) {
        synchronized (graph) {
            return nodes.lag(goal);
        }
    }

    private String picture() {
        synchronized (graph) {
            return GraphPicture.text(ring, nodes.snapshot(ring.claimed()));
        }
    }

    void await() throws InterruptedException {
        requireNotOwnThread("await");
        ended.await();
        throwFailure();
    }

    void await(Duration limit) throws InterruptedException, TimeoutException {
        requireNotOwnThread("await");
        awaitEnd(limit);
        throwFailure();
    }

    private void awaitEnd(Duration limit) throws InterruptedException, TimeoutException {
        if (!ended.await(Patience.nanos(limit), TimeUnit.NANOSECONDS)) {
            throw new TimeoutException("the graph has not ended within " + limit + ": " + whatRuns());
        }
    }

    private String whatRuns() {
        synchronized (graph) {
            List<String> running = nodes.running();
            return running.isEmpty()
                    ? "no stage runs; close() ends it"
                    : (running.size() == 1
                                    ? "stage " + running.getFirst() + " still runs"
                                    : "stages " + String.join(", ", running) + " still run")
                            + (closed ? ", though it was told to end after its batch" : "; close() ends it");
        }
    }

    private void requireNotOwnThread(String method) {
        boolean isOwn;
        synchronized (graph) {
            isOwn = isOwnThread(nodes.workers());
        }
        if (isOwn) {
            throw new IllegalStateException(method
                    + "() was called by a handler of this graph, which it would wait for; call it on another thread");
        }
    }

    private static boolean isOwnThread(List<Worker> workers) {
        return workers.stream().anyMatch(Worker::isCurrentThread);
    }

    private void throwFailure() {
        Throwable thrown = failure;
        if (thrown != null) {
            throw thrown instanceof StageStoppedException stopped
                    ? new StageStoppedException(stopped)
                    : new StageStoppedException("a stage of the graph has failed: " + thrown, thrown);
        }
    }

    void close() {
        List<Worker> running = stop();
        if (isOwnThread(running)) {
            endLater();
        } else {
            running.forEach(Worker::close);
            ring.sequencer().exit(graph);
            ended.countDown();
        }
    }

    void close(Duration limit) throws InterruptedException, TimeoutException {
        List<Worker> running = stop();
        endLater();
        if (!isOwnThread(running)) {
            awaitEnd(limit);
        }
    }

    /** Makes claims fail, and tells every stage to end; returns what runs them. */
    private List<Worker> stop() {
        if (hasRing) {
            ring.fail("the graph of this ring was closed", null);
        }
        List<Worker> running;
        synchronized (graph) {
            closed = true;
            running = nodes.workers();
        }
        running.forEach(Worker::stop);
        return running;
    }

    private void endLater() {
        Thread.ofVirtual().name("graph-close").start(this::close);
    }
}
