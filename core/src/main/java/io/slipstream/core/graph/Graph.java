package io.slipstream.core.graph;

import io.slipstream.core.graph.Nodes.Node;
import io.slipstream.core.handler.ExceptionPolicy;
import io.slipstream.core.ring.Ring;
import io.slipstream.core.sequence.Sequence;
import io.slipstream.core.sequence.SequenceBarrier;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.core.thread.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The stages of a ring, what each of them waits for, and the threads that run them.
 *
 * <p>It is built by one thread, started once, and then observed, changed, drained and closed by any. From its first
 * handler on, which sees everything that is claimed later (with one publisher: published later), publishers wait for
 * it, and its ring takes handlers of no other graph until it is closed; one that is not to be started after all is
 * closed, too. When a stage stops, the whole graph does: publishers fail with the reason, and {@link #await} throws it.
 */
public abstract sealed class Graph implements AutoCloseable permits EventGraph, FrameGraph {
    private final Ring ring;
    private final Sequence beforeStart = new Sequence();
    private final Nodes nodes = new Nodes();
    private final Ending ending;
    private @Nullable Wiring wiring;

    Graph(Ring ring) {
        this.ring = ring;
        this.ending = new Ending(this, ring, nodes);
    }

    /** Adds a stage for each handler behind others; returns these stages. */
    final synchronized <H> List<Stage> add(
            List<Stage> behind, BiFunction<H, StageSettings, Stage> factory, H[] handlers) {
        requireBeforeStart("add a stage");
        Nodes.requireHandlers(handlers);
        List<Stage> stages = new ArrayList<>();
        for (H handler : handlers) {
            stages.add(add(handler, factory.apply(handler, newSettings()), behind));
        }
        return stages;
    }

    final synchronized List<Stage> addCustom(List<Stage> behind, Stage stage) {
        requireBeforeStart("add a stage");
        Objects.requireNonNull(stage, "stage");
        if (stage instanceof Gate && !behind.isEmpty()) {
            throw new IllegalArgumentException("gate " + stage.name()
                    + " stands behind the publishers alone; put what waits for it behind both, as in "
                    + "graph.after(journal, gate)");
        }
        add(stage, requireOfThisRing(stage), behind);
        nodes.get(stage).hasOwnPolicy = true;
        return List.of(stage);
    }

    private Stage add(Object handler, Stage stage, List<Stage> behind) {
        boolean isFirst = nodes.isEmpty();
        if (isFirst) {
            ring.sequencer().enter(this);
            ending.ownsRing();
            ring.addGating(beforeStart);
        }
        nodes.add(new Node(handler, stage, behind));
        long from = beforeStart.getPlain();
        for (Sequence sequence : stage.sequences()) {
            if (sequence.getPlain() < from) {
                sequence.setRelease(from);
            }
        }
        return stage;
    }

    private Stage requireOfThisRing(Stage stage) {
        if (stage.ring() != ring) {
            throw new IllegalArgumentException("stage " + stage.name() + " belongs to another ring");
        }
        return stage;
    }

    /** Returns the default settings of a stage, with a name that no other has. */
    final synchronized StageSettings newSettings() {
        return nodes.newSettings();
    }

    final synchronized List<Stage> stages(Object... handlers) {
        return nodes.stages(handlers);
    }

    /** Returns the stages of this graph and of {@code other}, which must be the same graph, each once. */
    final List<Stage> union(List<Stage> some, Graph other, List<Stage> others) {
        if (other != this) {
            throw new IllegalArgumentException("stages " + Nodes.names(some) + " and stages " + Nodes.names(others)
                    + " are of different graphs; nothing can wait for both");
        }
        Set<Stage> all = new LinkedHashSet<>(some);
        all.addAll(others);
        return List.copyOf(all);
    }

    final SequenceBarrier barrierBehind(List<Stage> stages) {
        return ring.newBarrier(
                stages.stream().flatMap(s -> s.sequences().stream()).toArray(Sequence[]::new));
    }

    private void requireBeforeStart(String action) {
        requireNotStarted(action);
        ending.requireAlive(action);
    }

    private void requireNotStarted(String action) {
        if (wiring != null) {
            throw new IllegalStateException("cannot " + action
                    + ": the graph has been started; settings are made before, "
                    + "and join() adds a handler while events flow");
        }
    }

    final void setDefaultPolicy(ExceptionPolicy policy) {
        Objects.requireNonNull(policy, "policy");
        changeBeforeStart("change the exception policy", present -> present.setDefaultPolicy(policy));
    }

    /** Changes the stages, if the graph has not been started. */
    final synchronized void changeBeforeStart(String action, Consumer<Nodes> change) {
        requireNotStarted(action);
        change.accept(nodes);
    }

    /** Returns the settings of the stage of {@code handler}, to be changed before the start. */
    public final HandlerSettings settings(Object handler) {
        stages(handler);
        return new HandlerSettings(this, handler);
    }

    /** Starts every stage on a thread of its own, which waits as {@code waitStrategy} says. */
    public final void start(WaitStrategy waitStrategy) {
        start(waitStrategy, Integer.MAX_VALUE);
    }

    /**
     * Starts the stages on at most {@code threads} threads; each thread runs its stages in turn, in the order in which
     * they were added, so that an event passes through all of them in one round.
     */
    public final void start(WaitStrategy waitStrategy, int threads) {
        start(waitStrategy, threads, (name, worker) -> {});
    }

    /**
     * Starts the stages on at most {@code threads} threads of the caller's choice.
     *
     * <pre>{@code
     * graph.start(WaitStrategy.parking(), 8, (name, worker) -> worker.threadFactory(Thread.ofVirtual().factory()));
     * graph.start(WaitStrategy.busySpin(), 2, (name, worker) -> worker.pinnedTo(cpusOf.get(name)));
     * }</pre>
     *
     * @param workers chooses the thread factory and the CPUs of each worker, also of those of handlers that join later;
     *                it is given the worker's name, which is that of its stages with a plus between them. Everything
     *                else about the worker is set by the graph
     */
    public final void start(
            WaitStrategy waitStrategy, int threads, BiConsumer<? super String, ? super Worker.Builder> workers) {
        Objects.requireNonNull(waitStrategy, "waitStrategy");
        Objects.requireNonNull(workers, "workers");
        if (threads < 1) {
            throw new IllegalArgumentException("a graph runs on at least one thread, not " + threads);
        }
        for (Worker worker : wire(waitStrategy, threads, workers)) {
            try {
                worker.start();
            } catch (Throwable e) {
                // Those that run already must not be left alone, nor publishers with a ring that nobody reads.
                ending.startFailed(e);
                ending.close();
                throw e;
            }
        }
        ring.removeGating(beforeStart);
    }

    private synchronized List<Worker> wire(
            WaitStrategy waitStrategy, int threads, BiConsumer<? super String, ? super Worker.Builder> workers) {
        ending.requireAlive("start it");
        requireNotStarted("start it again");
        if (nodes.isEmpty()) {
            throw new IllegalStateException("a graph without stages has nothing to start");
        }
        Wiring newWiring = new Wiring(ring, nodes, waitStrategy, workers, ending::stageFailed);
        List<Worker> newWorkers = newWiring.wire(threads);
        wiring = newWiring;
        return newWorkers;
    }

    /**
     * Adds a running stage behind others, where the slowest of them is, or behind the publishers, at the end of what is
     * claimed now; returns the position from which on it sees everything.
     */
    final <H> long join(
            List<Stage> behind, BiFunction<H, StageSettings, Stage> factory, H handler, StageSettings settings) {
        Objects.requireNonNull(handler, "handler");
        return join(behind, handler, factory.apply(handler, settings));
    }

    /** As {@link #join(List, BiFunction, Object, StageSettings)}, of a stage of the caller's own making. */
    final long joinCustom(List<Stage> behind, Stage stage) {
        return join(behind, stage, Objects.requireNonNull(stage, "stage"));
    }

    private synchronized long join(List<Stage> behind, Object handler, Stage stage) {
        Wiring running = wiring;
        if (running == null || ending.isClosed()) {
            throw new IllegalStateException("join() adds a handler to a graph that runs; this one "
                    + (ending.isClosed() ? "has ended" : "has not been started: use handleEventsWith()"));
        }
        if (stage instanceof Gate) {
            throw new IllegalArgumentException("gate " + stage.name() + " cannot join; add it before the start");
        }
        Node node = new Node(handler, requireOfThisRing(stage), behind);
        nodes.requireStaying(behind);
        return running.join(node);
    }

    /**
     * Ends the stage of {@code handler} after the batch that it is at, while the others go on.
     *
     * <p>When the last consumer of a ring has left, publishers wait for nobody, and what they publish is seen by
     * observers alone. To replace a handler without a loss, let the new one join, wait until {@link #positionOf} the
     * old one is not before the position at which the new one has begun, and then let the old one leave; what lies
     * between the two positions was seen by both.
     *
     * @return its position: it has handled everything before, and nothing from there on
     * @throws IllegalArgumentException if the handler is not in the graph, another stage or a poller is behind it, or
     *                                  it shares its thread or its work
     * @throws IllegalStateException    if the graph was not started, the stage is leaving already, or this is called by
     *                                  its own handler or by that of a stage which is leaving itself, as both might
     *                                  wait for each other
     */
    public final long leave(Object handler) {
        Node node;
        Wiring running;
        Worker worker;
        synchronized (this) {
            node = nodes.get(handler);
            running = wiring;
            if (node.isGate()) {
                throw new IllegalArgumentException(
                        "gate " + node.stage.name() + " cannot leave; open it as far as the ring was published");
            }
            if (running == null) {
                throw new IllegalStateException(
                        "stage " + node.stage.name() + " cannot leave: the graph has not been started");
            }
            worker = running.beginToLeave(node);
        }
        worker.close();
        synchronized (this) {
            running.remove(node);
        }
        return node.stage.sequence().getAcquire();
    }

    /** Returns what has ended the graph, or null if nothing has. */
    public final @Nullable Throwable failure() {
        return ending.failure();
    }

    /**
     * Waits until every stage has passed everything that had been claimed (with one publisher: published) when this
     * was called. What one publisher has claimed and not published yet is known to its own thread alone, so publish
     * first.
     *
     * @throws TimeoutException      if that takes longer than {@code limit}
     * @throws StageStoppedException if a stage has stopped
     * @throws IllegalStateException if a handler of the graph calls this, whose own stage would never get there
     */
    public final void drain(Duration limit) throws InterruptedException, TimeoutException {
        Objects.requireNonNull(limit, "limit");
        ending.drain(limit);
    }

    /**
     * Waits until the graph has ended.
     *
     * @throws StageStoppedException if a stage has ended it, and not {@link #close}: it says which and where, and its
     *                               cause is what the handler has thrown
     * @throws IllegalStateException if a handler of the graph calls this, whose own stage would never end
     */
    public final void await() throws InterruptedException {
        ending.await();
    }

    /**
     * Waits until the graph has ended, as {@link #await()} does, but not longer than {@code limit}.
     *
     * @throws TimeoutException if it has not ended by then; the message says which stages still run
     */
    public final void await(Duration limit) throws InterruptedException, TimeoutException {
        Objects.requireNonNull(limit, "limit");
        ending.await(limit);
    }

    /**
     * Ends every stage after the batch that it is at, and waits for their threads. Later claims fail, unless the graph
     * has never had a handler.
     *
     * <p>A handler of the graph may call this too, and does not wait, since its own thread is one of those;
     * {@link #await} tells when the graph has ended. What the stages use, such as the memory of the ring, must stay
     * until then.
     */
    @Override
    public final void close() {
        ending.close();
    }

    /**
     * Ends every stage after the batch that it is at, as {@link #close()} does, but waits for their threads not longer
     * than {@code limit}: for graphs with handlers that may never return. Later claims fail also if this throws.
     *
     * @throws TimeoutException     if some have not ended by then; the message says which stages still run. They end
     *                              after their batch, and {@link #await()} tells when
     * @throws InterruptedException if the thread was interrupted while it waited; the rest is as with a
     *                              {@code TimeoutException}
     */
    public final void close(Duration limit) throws InterruptedException, TimeoutException {
        Objects.requireNonNull(limit, "limit");
        ending.close(limit);
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
        return nodes.snapshot(ring.claimed());
    }

    /**
     * Tells {@code visitor} of each stage and of its position, in the order in which they were added. Allocates
     * nothing.
     */
    final synchronized void forEachStage(ObjLongConsumer<? super Stage> visitor) {
        nodes.forEach(visitor);
    }

    /** Returns how far the stage of {@code handler} has come: it has handled everything before. */
    public final synchronized long positionOf(Object handler) {
        return nodes.get(handler).position();
    }

    /** Returns the ring. */
    public Ring ring() {
        return ring;
    }
}
