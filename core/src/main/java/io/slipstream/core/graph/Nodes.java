package io.slipstream.core.graph;

import io.slipstream.core.handler.ExceptionPolicy;
import io.slipstream.core.sequence.Sequence;
import io.slipstream.core.thread.Signal;
import io.slipstream.core.thread.Worker;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ObjLongConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The stages of a {@link Graph} by their handlers, which are told apart by identity, in the order in which they were
 * added. The graph guards it.
 */
final class Nodes {
    private final List<Node> nodes = new ArrayList<>();
    private ExceptionPolicy defaultPolicy = ExceptionPolicy.stop();

    /** Adds a node; its handler and the name of its stage must be new. */
    void add(Node node) {
        Node present = find(node.handler);
        if (present != null) {
            throw new IllegalArgumentException(
                    "this handler is in the graph already, as stage " + present.stage.name());
        }
        requireUnusedName(node.stage.name());
        nodes.add(node);
    }

    /** Makes sure that there are handlers, and that none of them is null. */
    static void requireHandlers(Object[] handlers) {
        Objects.requireNonNull(handlers, "handlers");
        if (handlers.length == 0) {
            throw new IllegalArgumentException("give at least one handler");
        }
        for (int i = 0; i < handlers.length; i++) {
            Objects.requireNonNull(handlers[i], i == 0 && handlers.length == 1 ? "handler" : "handlers[" + i + "]");
        }
    }

    static String names(Collection<Stage> stages) {
        return String.join(", ", stages.stream().map(Stage::name).toList());
    }

    List<Stage> stages(Object[] handlers) {
        requireHandlers(handlers);
        List<Stage> stages = new ArrayList<>();
        for (Object handler : handlers) {
            stages.add(get(handler).stage);
        }
        return stages;
    }

    /** Returns the default settings of a stage, with a name that no other has. */
    StageSettings newSettings() {
        return StageSettings.named(unusedName()).withExceptionPolicy(defaultPolicy);
    }

    /** Sets the policy of all stages that have none of their own, also of those that are added later. */
    void setDefaultPolicy(ExceptionPolicy policy) {
        defaultPolicy = policy;
        for (Node node : nodes) {
            if (!node.hasOwnPolicy) {
                node.stage.settings(node.stage.settings().withExceptionPolicy(policy));
            }
        }
    }

    /** Changes the settings of the stage of {@code handler}. */
    void change(Object handler, UnaryOperator<StageSettings> change) {
        Stage stage = get(handler).stage;
        StageSettings changed = change.apply(stage.settings());
        if (!changed.name().equals(stage.name())) {
            requireUnusedName(changed.name());
        }
        stage.settings(changed);
    }

    private void requireUnusedName(String name) {
        if (isUsed(name)) {
            throw new IllegalArgumentException("there is a stage " + name
                    + " in the graph already; pictures and counters tell stages "
                    + "apart by their names");
        }
    }

    private boolean isUsed(String name) {
        return nodes.stream().anyMatch(node -> node.stage.name().equals(name));
    }

    private String unusedName() {
        int number = nodes.size() + 1;
        while (isUsed("stage-" + number)) {
            number++;
        }
        return "stage-" + number;
    }

    void remove(Node node) {
        nodes.remove(node);
    }

    Node get(Object handler) {
        Node node = find(handler);
        if (node == null) {
            throw new IllegalArgumentException("this handler is not in the graph");
        }
        return node;
    }

    private @Nullable Node find(Object handler) {
        for (Node node : nodes) {
            if (node.handler == handler) {
                return node;
            }
        }
        return null;
    }

    /** Makes sure that others may still be added behind {@code stages}. */
    void requireStaying(List<Stage> stages) {
        for (Stage stage : stages) {
            if (nodes.stream().noneMatch(node -> node.stage == stage && !node.leaving)) {
                throw new IllegalArgumentException(
                        "no stage can join behind stage " + stage.name() + ", which has left or is leaving");
            }
        }
    }

    /** Makes sure that {@code node}, which runs on {@code worker}, may leave without harm to others. */
    void requireFree(Node node, Worker worker) {
        String name = node.stage.name();
        if (worker.isCurrentThread()) {
            throw new IllegalStateException("stage " + name
                    + " cannot leave from its own handler, which is still busy with a batch; "
                    + "call leave() on another thread");
        }
        if (node.leaving) {
            throw new IllegalStateException("stage " + name + " is leaving already");
        }
        for (Node other : nodes) {
            if (other.behind.contains(node.stage)) {
                throw new IllegalArgumentException(
                        "stage " + name + " cannot leave: stage " + other.stage.name() + " waits for it");
            }
            if (other != node && other.worker == worker) {
                throw new IllegalArgumentException(
                        "stage " + name + " cannot leave: it shares a thread with stage " + other.stage.name());
            }
        }
        if (node.stage instanceof WorkShare.Member) {
            throw new IllegalArgumentException("stage " + name + " cannot leave: it shares its work");
        }
    }

    /**
     * Makes sure that the caller is not the handler of a stage that is leaving, for whose end others may wait, and
     * {@code node} among them.
     */
    void requireStayingCaller(Node node) {
        for (Node caller : nodes) {
            Worker its = caller.worker;
            if (caller.leaving && its != null && its.isCurrentThread()) {
                throw new IllegalStateException("stage " + node.stage.name()
                        + " cannot leave: the handler that calls this is that of stage "
                        + caller.stage.name()
                        + ", which is leaving itself, so that both might wait for each other; call leave() on "
                        + "another thread");
            }
        }
    }

    Collection<Node> all() {
        return nodes;
    }

    boolean isEmpty() {
        return nodes.isEmpty();
    }

    List<Node> followers(Node node) {
        return nodes.stream().filter(other -> other.behind.contains(node.stage)).toList();
    }

    /** Returns those that {@code node} is behind. */
    List<Node> before(Node node) {
        return nodes.stream().filter(other -> node.behind.contains(other.stage)).toList();
    }

    /** Returns those that no other stage is behind. */
    List<Node> last() {
        return nodes.stream().filter(node -> followers(node).isEmpty()).toList();
    }

    /** Returns those that {@code node} was the last one behind, after it was removed. */
    List<Node> lastWithout(Node node) {
        return before(node).stream().filter(other -> followers(other).isEmpty()).toList();
    }

    List<Worker> workers() {
        return nodes.stream()
                .map(node -> node.worker)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
    }

    /** Returns the names of those whose thread is alive. */
    List<String> running() {
        return nodes.stream()
                .filter(Node::isRunning)
                .map(node -> node.stage.name())
                .toList();
    }

    /**
     * Divides them into those of each thread that was chosen, and the others into groups of neighbours; {@code threads}
     * in all, if so few will do.
     */
    List<List<Node>> split(int threads) {
        Map<String, List<Node>> chosen = new LinkedHashMap<>();
        List<Node> others = new ArrayList<>();
        for (Node node : nodes) {
            if (node.isGate()) {
                continue;
            }
            (node.thread == null ? others : chosen.computeIfAbsent(node.thread, name -> new ArrayList<>())).add(node);
        }
        List<List<Node>> groups = new ArrayList<>(chosen.values());
        int left = Math.min(Math.max(1, threads - groups.size()), others.size());
        for (int i = 0; i < left; i++) {
            groups.add(List.copyOf(others.subList(i * others.size() / left, (i + 1) * others.size() / left)));
        }
        return groups;
    }

    /** Returns how far the slowest is behind {@code goal}. */
    long lag(long goal) {
        return nodes.stream().mapToLong(node -> goal - node.position()).max().orElse(0);
    }

    void forEach(ObjLongConsumer<? super Stage> visitor) {
        // By index, as an iterator is allocated.
        for (int i = 0; i < nodes.size(); i++) {
            Node node = nodes.get(i);
            visitor.accept(node.stage, node.position());
        }
    }

    List<StageSnapshot> snapshot(long claimed) {
        return nodes.stream().map(node -> node.snapshot(claimed)).toList();
    }

    /** A stage with what it waits for and what runs it. */
    static final class Node {
        final Object handler;
        final Stage stage;
        final List<Stage> behind;
        private final Sequence[] sequences;
        Signal signal = new Signal();

        @Nullable
        Worker worker;

        boolean leaving;
        /** The name of the thread that was chosen for it, or null. */
        @Nullable
        String thread;
        /** Whether its exception policy was set for it alone. */
        boolean hasOwnPolicy;

        Node(Object handler, Stage stage, List<Stage> behind) {
            this.handler = handler;
            this.stage = stage;
            this.behind = List.copyOf(behind);
            this.sequences = stage.sequences().toArray(Sequence[]::new);
        }

        /** Returns whether nobody runs the stage. */
        boolean isGate() {
            return stage instanceof Gate;
        }

        private boolean isRunning() {
            Worker runs = worker;
            return runs != null && runs.isAlive();
        }

        long position() {
            long position = Long.MAX_VALUE;
            for (Sequence sequence : sequences) {
                position = Math.min(position, sequence.getAcquire());
            }
            return position;
        }

        private StageSnapshot snapshot(long claimed) {
            long position = Math.min(position(), claimed);
            return new StageSnapshot(
                    stage.name(), behind.stream().map(Stage::name).toList(), position, claimed - position);
        }
    }
}
