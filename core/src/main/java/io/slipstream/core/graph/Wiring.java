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
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Connects the stages of a {@link Graph} that starts or runs: with barriers before them, signals behind them, and
 * workers.
 */
final class Wiring {
    private final Ring ring;
    private final Nodes nodes;
    private final WaitStrategy strategy;
    private final BiConsumer<? super String, ? super Worker.Builder> settings;
    private final Consumer<Throwable> onFailure;

    Wiring(Ring ring, Nodes nodes, WaitStrategy strategy, BiConsumer<? super String, ? super Worker.Builder> settings,
           Consumer<Throwable> onFailure) {
        this.ring = ring;
        this.nodes = nodes;
        this.strategy = strategy;
        this.settings = settings;
        this.onFailure = onFailure;
    }

    /** Makes a worker, not started yet, for stages that run in turn. */
    Worker newWorker(List<Node> group) {
        List<Stage> stages = group.stream().map(node -> node.stage).toList();
        String name = String.join("+", stages.stream().map(Stage::name).toList());
        Signal signal = group.getFirst().signal;
        Worker.Builder builder = Worker.builder(name, stages);
        settings.accept(name, builder);
        Worker worker = builder.waitStrategy(strategyFor(stages)).signal(signal).policy(DutyPolicy.STOP_ALL)
                .onFailure(onFailure).build();
        for (Node node : group) {
            node.signal = signal;
            node.worker = worker;
        }
        return worker;
    }

    private WaitStrategy strategyFor(List<Stage> group) {
        long shortest = group.stream().mapToLong(s -> s.settings().timeoutNanos()).filter(n -> n > 0).min().orElse(0);
        return shortest == 0 ? strategy : strategy.sleepingAtMost(shortest);
    }

    /** Tells a stage whom it waits for, and whom it wakes. */
    void connect(Node node) {
        if (node.behind.isEmpty() && strategy.wakeable() && !node.isGate()) {
            ring.removeSignal(node.signal);
            ring.addSignal(node.signal);
        }
        node.stage.connect(barrierBefore(node), strategy.wakeable());
        node.stage.mayRest(strategy.spins() != WaitStrategy.FOREVER && strategy.yields() != WaitStrategy.FOREVER);
        wakeFollowers(node);
    }

    SequenceBarrier barrierBefore(Node node) {
        Set<Sequence> before = new LinkedHashSet<>();
        node.behind.forEach(stage -> before.addAll(stage.sequences()));
        return ring.newBarrier(before.toArray(Sequence[]::new));
    }

    /** Tells a stage, also one that runs, whom it wakes. */
    private void wakeFollowers(Node node) {
        if (strategy.wakeable()) {
            node.stage.wake(nodes.followers(node).stream().map(follower -> follower.signal)
                    .filter(signal -> signal != node.signal)
                    .distinct().toList());
        }
    }

    /** Tells those before {@code node}, which run, that it was added or removed. */
    void changedBehind(Node node) {
        nodes.before(node).forEach(this::wakeFollowers);
    }

    /** Makes publishers wait for a stage where it stands. */
    void gate(Node node) {
        for (Sequence sequence : node.stage.sequences()) {
            ring.sequencer().addGatingInPlace(sequence);
        }
    }
}
