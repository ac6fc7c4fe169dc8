package io.slipstream.core.graph;

import io.slipstream.core.graph.Nodes.Node;
import io.slipstream.core.ring.Ring;
import io.slipstream.core.sequence.Sequence;
import io.slipstream.core.sequence.SequenceBarrier;
import io.slipstream.core.thread.DutyPolicy;
import io.slipstream.core.thread.Signal;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.core.thread.Worker;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Connects the stages of a {@link Graph} that starts or runs: with barriers before them, signals behind them, and
 * workers. Stages join and leave here while the others run.
 */
final class Wiring {
    private final Ring ring;
    private final Nodes nodes;
    private final WaitStrategy strategy;
    private final BiConsumer<? super String, ? super Worker.Builder> settings;
    private final Consumer<Throwable> onFailure;

    Wiring(
            Ring ring,
            Nodes nodes,
            WaitStrategy strategy,
            BiConsumer<? super String, ? super Worker.Builder> settings,
            Consumer<Throwable> onFailure) {
        this.ring = ring;
        this.nodes = nodes;
        this.strategy = strategy;
        this.settings = settings;
        this.onFailure = onFailure;
    }

    /** Connects all stages, and makes their workers, which are not started yet. */
    List<Worker> wire(int threads) {
        List<Worker> workers =
                nodes.split(threads).stream().map(this::newWorker).toList();
        nodes.all().forEach(this::connect);
        nodes.last().forEach(this::gate);
        return workers;
    }

    /** Adds a stage to those that run, and starts it; returns the position from which on it sees everything. */
    long join(Node node) {
        nodes.add(node);
        try {
            Worker worker = newWorker(List.of(node));
            long position = ring.addGating(node.stage.sequence(), barrierBefore(node));
            connect(node);
            changedBehind(node);
            worker.start();
            return position;
        } catch (Throwable e) {
            remove(node);
            throw e;
        }
    }

    /** Notes that a stage leaves; returns its worker, to be closed before the stage is {@linkplain #remove removed}. */
    Worker beginToLeave(Node node) {
        Worker worker = Objects.requireNonNull(node.worker, "worker");
        nodes.requireFree(node, worker);
        nodes.requireStayingCaller(node);
        if (!ring.sequencer().followers().tryEnd(node.stage.sequence())) {
            throw new IllegalArgumentException("stage " + node.stage.name()
                    + " cannot leave: a poller behind it waits for it; close that one first");
        }
        node.leaving = true;
        return worker;
    }

    /** Removes a stage that runs no more from those that run. */
    void remove(Node node) {
        nodes.remove(node);
        ring.removeSignal(node.signal);
        changedBehind(node);
        // When the last stage of a chain leaves, those before it become the last, before publishers forget the one that
        // leaves.
        nodes.lastWithout(node).forEach(this::gate);
        ring.removeGating(node.stage.sequence());
    }

    /** Makes a worker, not started yet, for stages that run in turn. */
    private Worker newWorker(List<Node> group) {
        List<Stage> stages = group.stream().map(node -> node.stage).toList();
        String name = String.join("+", stages.stream().map(Stage::name).toList());
        Signal signal = group.getFirst().signal;
        Worker.Builder builder = Worker.builder(name, stages);
        settings.accept(name, builder);
        Worker worker = builder.waitStrategy(strategyFor(stages))
                .signal(signal)
                .policy(DutyPolicy.STOP_ALL)
                .onFailure(onFailure)
                .build();
        for (Node node : group) {
            node.signal = signal;
            node.worker = worker;
        }
        return worker;
    }

    private WaitStrategy strategyFor(List<Stage> group) {
        long shortest = group.stream()
                .mapToLong(s -> s.settings().timeoutNanos())
                .filter(n -> n > 0)
                .min()
                .orElse(0);
        return shortest == 0 ? strategy : strategy.sleepingAtMost(shortest);
    }

    /** Tells a stage whom it waits for, and whom it wakes. */
    private void connect(Node node) {
        if (node.behind.isEmpty() && strategy.wakeable() && !node.isGate()) {
            ring.removeSignal(node.signal);
            ring.addSignal(node.signal);
        }
        node.stage.connect(barrierBefore(node), strategy.wakeable());
        node.stage.mayRest(strategy.spins() != WaitStrategy.FOREVER && strategy.yields() != WaitStrategy.FOREVER);
        wakeFollowers(node);
    }

    private SequenceBarrier barrierBefore(Node node) {
        Set<Sequence> before = new LinkedHashSet<>();
        node.behind.forEach(stage -> before.addAll(stage.sequences()));
        return ring.newBarrier(before.toArray(Sequence[]::new));
    }

    /** Tells a stage, also one that runs, whom it wakes. */
    private void wakeFollowers(Node node) {
        if (strategy.wakeable()) {
            node.stage.wake(nodes.followers(node).stream()
                    .map(follower -> follower.signal)
                    .filter(signal -> signal != node.signal)
                    .distinct()
                    .toList());
        }
    }

    /** Tells those before {@code node}, which run, that it was added or removed. */
    private void changedBehind(Node node) {
        nodes.before(node).forEach(this::wakeFollowers);
    }

    /** Makes publishers wait for a stage where it stands. */
    private void gate(Node node) {
        for (Sequence sequence : node.stage.sequences()) {
            ring.sequencer().addGatingInPlace(sequence);
        }
    }
}
