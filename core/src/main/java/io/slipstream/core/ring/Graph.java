package io.slipstream.core.ring;

import io.slipstream.core.thread.Patience;
import io.slipstream.core.thread.Signal;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.core.thread.Worker;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The stages of a ring, what each of them waits for, and the threads that run them.
 *
 * <p>It is built by one thread, started once, and then observed, changed, drained and closed by any. When a stage
 * stops, the whole graph does: publishers fail with the reason, and {@link #await} throws it.
 */
public abstract sealed class Graph implements AutoCloseable permits EventGraph, FrameGraph {
    private final Ring ring;
    private final Sequence beforeStart = new Sequence();
    private final Map<Object, Node> nodes = new LinkedHashMap<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private WaitStrategy strategy = WaitStrategy.parking();
    private boolean started;
    private boolean closed;
    private volatile @Nullable Throwable failure;

    Graph(Ring ring) {
        this.ring = ring;
        ring.addGating(beforeStart);
    }

    final synchronized void add(Object handler, Stage stage, List<Stage> behind) {
        requireNotStarted("add a stage");
        putNew(handler, new Node(stage, behind));
    }

    final void addCustom(Stage stage, List<Stage> behind) {
        if (stage.ring() != ring) {
            throw new IllegalArgumentException("stage " + stage.name() + " belongs to another ring");
        }
        add(stage, stage, behind);
    }

    private void putNew(Object handler, Node node) {
        requireUnusedName(node.stage.name());
        Node present = nodes.putIfAbsent(handler, node);
        if (present != null) {
            throw new IllegalArgumentException("this handler is in the graph already, as stage " + present.stage.name());
        }
    }

    private void requireUnusedName(String name) {
        if (nodes.values().stream().anyMatch(node -> node.stage.name().equals(name))) {
            throw new IllegalArgumentException("there is a stage " + name + " in the graph already; pictures and counters tell stages "
                    + "apart by their names");
        }
    }

    final synchronized Stage stage(Object handler) {
        return node(handler).stage;
    }

    private Node node(Object handler) {
        Node node = nodes.get(handler);
        if (node == null) {
            throw new IllegalArgumentException("this handler is not in the graph");
        }
        return node;
    }

    final synchronized String defaultName() {
        Set<String> names = nodes.values().stream().map(node -> node.stage.name()).collect(Collectors.toSet());
        int number = nodes.size() + 1;
        while (names.contains("stage-" + number)) {
            number++;
        }
        return "stage-" + number;
    }

    final synchronized void requireNotStarted(String action) {
        if (started) {
            throw new IllegalStateException("cannot " + action + ": the graph has been started; settings are made before, "
                    + "and join() adds a handler while events flow");
        }
    }

    /** Returns the settings of the stage of {@code handler}, to be changed before the start. */
    public final Settings settings(Object handler) {
        stage(handler);
        return new Settings(handler);
    }

    private synchronized void change(Object handler, UnaryOperator<StageSettings> change) {
        requireNotStarted("change a stage");
        Stage stage = stage(handler);
        StageSettings changed = change.apply(stage.settings());
        if (!changed.name().equals(stage.name())) {
            requireUnusedName(changed.name());
        }
        stage.settings(changed);
    }

    /** Starts every stage on a thread of its own, which waits as {@code waitStrategy} says. */
    public final synchronized void start(WaitStrategy waitStrategy) {
        start(waitStrategy, Integer.MAX_VALUE);
    }

    /**
     * Starts the stages on at most {@code threads} threads; each thread runs its stages in turn, in the order in which they
     * were added, so that an event passes through all of them in one round.
     */
    public final synchronized void start(WaitStrategy waitStrategy, int threads) {
        if (closed) {
            throw new IllegalStateException("cannot start the graph: it has ended, and its ring takes nothing any more ("
                    + ring.failure() + "); make a new ring and a new graph");
        }
        requireNotStarted("start it again");
        if (threads < 1) {
            throw new IllegalArgumentException("a graph runs on at least one thread, not " + threads);
        }
        if (nodes.isEmpty()) {
            throw new IllegalStateException("a graph without stages has nothing to start");
        }
        started = true;
        strategy = waitStrategy;
        List<List<Node>> groups = split(List.copyOf(nodes.values()), Math.min(threads, nodes.size()));
        for (List<Node> group : groups) {
            group.forEach(node -> node.signal = group.getFirst().signal);
        }
        nodes.values().forEach(this::connect);
        nodes.values().stream().filter(node -> followers(node).isEmpty()).forEach(this::gate);
        groups.forEach(this::startWorker);
        ring.removeGating(beforeStart);
    }

    private void gate(Node node) {
        for (Sequence sequence : node.stage.sequences()) {
            ring.sequencer.addGatingInPlace(sequence);
        }
    }

    private List<Node> followers(Node node) {
        return nodes.values().stream().filter(other -> other.behind.contains(node.stage)).toList();
    }

    private void connect(Node node) {
        long from = beforeStart.getPlain();
        for (Sequence sequence : node.stage.sequences()) {
            if (sequence.getPlain() < from) {
                sequence.setRelease(from);
            }
        }
        Set<Sequence> before = new LinkedHashSet<>();
        node.behind.forEach(stage -> before.addAll(stage.sequences()));
        Set<Signal> behind = new LinkedHashSet<>();
        if (strategy.wakeable()) {
            followers(node).stream().map(follower -> follower.signal).filter(signal -> signal != node.signal)
                    .forEach(behind::add);
            if (before.isEmpty()) {
                ring.removeSignal(node.signal);
                ring.addSignal(node.signal);
            }
        }
        node.stage.connect(ring.newBarrier(before.toArray(Sequence[]::new)), List.copyOf(behind));
    }

    private void startWorker(List<Node> group) {
        List<Stage> stages = group.stream().map(node -> node.stage).toList();
        String name = String.join("+", stages.stream().map(Stage::name).toList());
        Worker worker = new Worker(name, strategyFor(stages), group.getFirst().signal, stages, this::stageFailed);
        group.forEach(node -> node.worker = worker);
        worker.start();
    }

    private WaitStrategy strategyFor(List<Stage> group) {
        long shortest = group.stream().mapToLong(s -> s.settings().timeoutNanos()).filter(n -> n > 0).min().orElse(0);
        return shortest == 0 ? strategy : strategy.sleepingAtMost(shortest);
    }

    private static List<List<Node>> split(List<Node> stages, int threads) {
        List<List<Node>> groups = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            groups.add(stages.subList(i * stages.size() / threads, (i + 1) * stages.size() / threads));
        }
        return groups;
    }

    /** Adds a running stage at the end of what is claimed now; returns the position from which on it sees everything. */
    final synchronized long join(Object handler, Stage stage) {
        if (!started || closed) {
            throw new IllegalStateException("join() adds a handler to a graph that runs; this one "
                    + (closed ? "has ended" : "has not been started: use handleEventsWith()"));
        }
        Node node = new Node(stage, List.of());
        putNew(handler, node);
        long position = ring.addGating(stage.sequence());
        connect(node);
        startWorker(List.of(node));
        return position;
    }

    /**
     * Ends the stage of {@code handler} after the batch that it is at, while the others go on.
     *
     * <p>When the last stage has left, publishers wait for nobody, and what they publish is seen by observers alone.
     *
     * @return its position: it has handled everything before, and nothing from there on
     * @throws IllegalArgumentException if the handler is not in the graph, another stage is behind it, or it shares its
     *                                  thread or its work
     * @throws IllegalStateException    if the graph was not started, or if the handler itself calls this
     */
    public final long leave(Object handler) {
        Node node;
        Worker worker;
        synchronized (this) {
            node = node(handler);
            worker = requireFree(node);
        }
        worker.close();
        synchronized (this) {
            nodes.remove(handler);
            ring.removeSignal(node.signal);
            // When the last stage of a chain leaves, those before it become the last, before publishers forget the one that leaves.
            nodes.values().stream().filter(other -> node.behind.contains(other.stage) && followers(other).isEmpty())
                    .forEach(this::gate);
            ring.removeGating(node.stage.sequence());
        }
        return node.stage.sequence().getAcquire();
    }

    private Worker requireFree(Node node) {
        String name = node.stage.name();
        Worker worker = node.worker;
        if (worker == null) {
            throw new IllegalStateException("stage " + name + " cannot leave: the graph has not been started");
        }
        if (worker.isCurrentThread()) {
            throw new IllegalStateException("stage " + name + " cannot leave from its own handler, which is still busy with a batch; "
                    + "call leave() on another thread");
        }
        for (Node other : nodes.values()) {
            if (other.behind.contains(node.stage)) {
                throw new IllegalArgumentException("stage " + name + " cannot leave: stage " + other.stage.name()
                        + " waits for it");
            }
            if (other != node && other.worker == worker) {
                throw new IllegalArgumentException("stage " + name + " cannot leave: it shares a thread with stage "
                        + other.stage.name());
            }
        }
        if (node.stage instanceof WorkShare.Member) {
            throw new IllegalArgumentException("stage " + name + " cannot leave: it shares its work");
        }
        return worker;
    }

    private void stageFailed(Throwable thrown) {
        synchronized (this) {
            if (failure == null) {
                failure = thrown;
            }
        }
        ring.fail(thrown instanceof StageStoppedException ? String.valueOf(thrown.getMessage())
                : "a stage of the graph has failed: " + thrown, thrown);
        // Closing joins the workers, and this is one of them.
        Thread.ofVirtual().name("graph-close").start(this::close);
    }

    /** Returns what has ended the graph, or null if nothing has. */
    public final @Nullable Throwable failure() {
        return failure;
    }

    /**
     * Waits until every stage has passed everything that had been claimed when this was called.
     *
     * @throws TimeoutException      if that takes longer than {@code limit}
     * @throws StageStoppedException if a stage has stopped
     */
    public final void drain(Duration limit) throws InterruptedException, TimeoutException {
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

    private synchronized long lag(long goal) {
        return nodes.values().stream().mapToLong(node -> goal - position(node.stage)).max().orElse(0);
    }

    /** Waits until the graph has ended; throws what has ended it, unless that was {@link #close}. */
    public final void await() throws InterruptedException {
        ended.await();
        throwFailure();
    }

    private void throwFailure() {
        Throwable thrown = failure;
        if (thrown != null) {
            Throwable cause = thrown instanceof StageStoppedException ? thrown.getCause() : thrown;
            throw new StageStoppedException("the graph has ended: " + thrown.getMessage(), cause);
        }
    }

    /** Ends every stage after the batch that it is at, and waits for their threads. Later claims fail. */
    @Override
    public final void close() {
        ring.fail("the graph of this ring was closed", null);
        List<Worker> running;
        synchronized (this) {
            closed = true;
            running = nodes.values().stream().map(node -> node.worker).filter(Objects::nonNull).distinct().toList();
        }
        running.forEach(Worker::close);
        ended.countDown();
    }

    /** Returns each stage with its position and its lag, as lines of text. */
    public final String picture() {
        return GraphPicture.text(ring, snapshot());
    }

    /** Returns the graph in the Mermaid language, with each stage's lag. */
    public final String mermaid() {
        return GraphPicture.mermaid(ring, snapshot());
    }

    /** Returns what is known of each stage now, in the order in which they were added. */
    public final synchronized List<StageSnapshot> snapshot() {
        long claimed = ring.claimed();
        List<StageSnapshot> snapshots = new ArrayList<>();
        for (Node node : nodes.values()) {
            long position = Math.min(position(node.stage), claimed);
            snapshots.add(new StageSnapshot(node.stage.name(), node.behind.stream().map(Stage::name).toList(), position,
                    claimed - position));
        }
        return snapshots;
    }

    /** Returns the ring. */
    public Ring ring() {
        return ring;
    }

    private static long position(Stage stage) {
        return stage.sequences().stream().mapToLong(Sequence::getAcquire).min().orElseThrow();
    }

    /** What may be set for one stage before the graph starts. */
    public final class Settings {
        private final Object handler;

        Settings(Object handler) {
            this.handler = handler;
        }

        /** Names the stage, its thread and its counters. */
        public Settings name(String name) {
            return change(s -> s.withName(name));
        }

        /** Limits batches to {@code most} events; of frames to as many bytes, or one frame if that is larger. */
        public Settings maxBatch(int most) {
            return change(s -> s.withMaxBatch(most));
        }

        /** Has the handler told whenever nothing has come for {@code timeout}. */
        public Settings timeout(Duration timeout) {
            return change(s -> s.withTimeout(timeout));
        }

        /** Sets what happens when the handler throws. */
        public Settings onException(ExceptionPolicy policy) {
            return change(s -> s.withExceptionPolicy(policy));
        }

        private Settings change(UnaryOperator<StageSettings> change) {
            Graph.this.change(handler, change);
            return this;
        }
    }

    /** A stage with what it waits for and what runs it. */
    private static final class Node {
        final Stage stage;
        final List<Stage> behind;
        Signal signal = new Signal();
        @Nullable Worker worker;

        Node(Stage stage, List<Stage> behind) {
            this.stage = stage;
            this.behind = List.copyOf(behind);
        }
    }
}
