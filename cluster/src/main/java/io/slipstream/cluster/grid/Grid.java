package io.slipstream.cluster.grid;

import io.slipstream.cluster.config.ClusterConfig;
import io.slipstream.cluster.config.Joining;
import io.slipstream.cluster.config.MemberAddress;
import io.slipstream.cluster.config.Members;
import io.slipstream.cluster.control.MemberProcess;
import io.slipstream.cluster.log.MemberState;
import io.slipstream.cluster.member.ClusterMember;
import io.slipstream.core.thread.Patience;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.machine.StateMachine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A whole cluster in one JVM, for tests: real members, real sockets of the loopback interface, real files.
 *
 * <pre>{@code
 *   try (Grid grid = Grid.of(3, Exchange::new); ServiceClient client = grid.client().connect()) {
 *       client.call(order);
 *       grid.kill(grid.leader());
 *       client.call(another);
 *       grid.awaitSameState();
 *   }
 * }</pre>
 *
 * <p>Files go to a new folder below the one for temporary files and are removed at the end. One thread at a time uses a
 * grid; several grids may run side by side.
 */
public final class Grid implements AutoCloseable {
    /** How long the methods that wait do so before they throw an {@link AssertionError}, and a client of it. */
    public static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final int TERM_BYTES = 1 << 18;

    private final List<Node> nodes = new ArrayList<>();
    private final Path folder;
    private final Members members;

    private Grid(int size, Supplier<? extends StateMachine> machines, UnaryOperator<ClusterConfig> setting)
            throws IOException {
        if (size < 1 || size > Members.MOST) {
            throw new IllegalArgumentException("a cluster has from 1 to " + Members.MOST + " members, not " + size);
        }
        this.folder = Files.createTempDirectory("slipstream-grid-");
        List<MemberAddress> addresses = new ArrayList<>();
        for (int id = 0; id < size; id++) {
            addresses.add(new MemberAddress(id, "127.0.0.1", Ports.block()));
        }
        this.members = new Members(addresses);
        for (int id = 0; id < size; id++) {
            Path directory = folder.resolve("member-" + id);
            nodes.add(new Node(id, directory, machines, setting));
        }
    }

    /**
     * Starts a cluster and waits until it has a leader.
     *
     * @param machines makes a machine in its initial state, for each start of a member
     */
    public static Grid of(int size, Supplier<? extends StateMachine> machines) throws IOException {
        return of(size, machines, config -> config);
    }

    /** As {@link #of(int, Supplier)}, with members that are set up otherwise. */
    public static Grid of(int size, Supplier<? extends StateMachine> machines, UnaryOperator<ClusterConfig> setting)
            throws IOException {
        Grid grid = new Grid(size, machines, setting);
        try {
            for (int id = 0; id < size; id++) {
                grid.start(id);
            }
            grid.awaitLeader();
            return grid;
        } catch (IOException | RuntimeException | Error e) {
            grid.close();
            throw e;
        }
    }

    /** Returns how many members there are, running or not. */
    public int size() {
        return nodes.size();
    }

    /** Returns the members' addresses. */
    public Members members() {
        return members;
    }

    /** Returns the running member of that number. */
    public ClusterMember member(int id) {
        MemberProcess process = nodes.get(id).process;
        if (process == null) {
            throw new IllegalStateException("member " + id + " does not run");
        }
        return process.member();
    }

    /** Returns whether the member of that number was started, and has not ended. */
    public boolean isRunning(int id) {
        MemberProcess process = nodes.get(id).process;
        return process != null && !process.member().isEnded();
    }

    /** Returns the folder of that member, which may be changed while it does not run. */
    public Path directory(int id) {
        return nodes.get(id).directory;
    }

    /** Begins to describe a client that knows all members, and waits for {@link #PATIENCE}. */
    public ServiceClient.Builder client() {
        return patient(ServiceClient.builder(members.clients()));
    }

    /** Begins to describe a client that knows that member alone, and waits for {@link #PATIENCE}. */
    public ServiceClient.Builder client(int id) {
        return patient(ServiceClient.builder(members.get(id).clients()));
    }

    private static ServiceClient.Builder patient(ServiceClient.Builder client) {
        return client.timeout(PATIENCE).connectTimeout(PATIENCE).reconnectTimeout(PATIENCE);
    }

    /** Starts a member: on what it had, unless it starts for the first time. */
    public void start(int id) throws IOException {
        Node node = nodes.get(id);
        node.start(node.wasHere ? Joining.AGAIN : Joining.FORM);
    }

    /** As {@link #start(int)}, with machines of other code, such as a newer version; the same at each later start. */
    public void start(int id, Supplier<? extends StateMachine> machines) throws IOException {
        nodes.get(id).machines = machines;
        start(id);
    }

    /**
     * Lets all members act as the version of the state machine that the leader knows, and waits until they do.
     *
     * @throws IllegalStateException if a member does not run, or does not know it
     */
    public void upgrade() {
        ClusterMember leader = member(awaitLeader());
        int version = leader.knownVersion();
        for (int id = 0; id < size(); id++) {
            if (member(id).knownVersion() != version) {
                throw new IllegalStateException(
                        "member " + id + " knows version " + member(id).knownVersion() + ", and not " + version);
            }
        }
        leader.upgrade();
        await(
                "all members act as version " + version,
                () -> IntStream.range(0, size()).allMatch(id -> member(id).version() == version));
    }

    /**
     * Starts a member whose folder is lost: what is in it is removed. Returns when the member has copied everything
     * that it lacks from the leader; throws an {@link IOException} if there is none.
     */
    public void replace(int id) throws IOException {
        Node node = nodes.get(id);
        node.stop();
        if (Files.exists(node.directory)) {
            empty(node.directory);
        }
        node.start(Joining.REPLACE);
    }

    /** Ends a member in order. */
    public void stop(int id) {
        nodes.get(id).stop();
    }

    /** Ends a member as a crash does: the others hear nothing of it, nor anything else from then on. */
    public void kill(int id) {
        nodes.get(id).faults.mute(true);
        nodes.get(id).faults.deaf(true);
        nodes.get(id).stop();
    }

    /** Holds up all threads of a member until {@link #heal}, as a machine that stands still. */
    public void pause(int id) {
        nodes.get(id).faults.paused(true);
    }

    /** Cuts a member off from the others until {@link #heal}; clients still reach it. */
    public void cutOff(int id) {
        mute(id);
        deafen(id);
    }

    /** Loses all that a member sends to the others until {@link #heal}; it still hears them. */
    public void mute(int id) {
        nodes.get(id).faults.mute(true);
    }

    /** Loses all that the others send to a member until {@link #heal}; they still hear it. */
    public void deafen(int id) {
        nodes.get(id).faults.deaf(true);
    }

    /** Lets each thread of a member wait in each of its rounds until {@link #heal}. */
    public void slow(int id, Duration eachRound) {
        nodes.get(id).faults.roundNanos(Patience.nanos(eachRound));
    }

    /** Lets each write of a member's log to its disk take that long until {@link #heal}. */
    public void slowDisk(int id, Duration eachWrite) {
        nodes.get(id).faults.diskNanos(Patience.nanos(eachWrite));
    }

    /** Ends what was done to a member. */
    public void heal(int id) {
        nodes.get(id).faults.heal();
    }

    /** Ends what was done to all members. */
    public void heal() {
        nodes.forEach(node -> node.faults.heal());
    }

    /** Kills the leader, waits for another one, and starts the former one again; returns the new one. */
    public int failOver() throws IOException {
        int former = awaitLeader();
        kill(former);
        int next = awaitLeader();
        start(former);
        return next;
    }

    /** Returns the leader; -1 if there is none that all of its own know of. */
    public int leader() {
        return IntStream.range(0, size())
                .filter(id -> isRunning(id)
                        && member(id).isLeader()
                        && !nodes.get(id).faults.isMute())
                .findFirst()
                .orElse(-1);
    }

    /** Waits until there is a leader, and returns it. */
    public int awaitLeader() {
        await("there is a leader", () -> leader() >= 0);
        return leader();
    }

    /** Waits until a member has applied the log up to {@code sequence}. */
    public void awaitApplied(int id, long sequence) {
        await(
                "member " + id + " applies entry " + sequence,
                () -> isRunning(id) && member(id).applied() >= sequence);
    }

    /** Returns where a member is; an interrupt of the caller does not end the wait. */
    public MemberState state(int id) {
        try {
            return member(id)
                    .state()
                    .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                    .join();
        } catch (CompletionException e) {
            throw new IllegalStateException("member " + id + " does not say where it is: " + e.getCause(), e);
        }
    }

    /**
     * Waits until all members that were started and not stopped are at the same place of the log, and returns their
     * state, which must be the same.
     *
     * @throws AssertionError if two members are at the same place with different states
     */
    public MemberState awaitSameState() {
        MemberState[] same = new MemberState[1];
        await("all members are at the same place of the log", () -> {
            List<MemberState> states = IntStream.range(0, size())
                    .filter(this::isRunning)
                    .mapToObj(this::state)
                    .toList();
            if (states.stream().mapToLong(MemberState::sequence).distinct().count() > 1) {
                return false;
            }
            if (states.stream().mapToLong(MemberState::stateHash).distinct().count() > 1) {
                throw new AssertionError("members have different states at the same place: " + states);
            }
            same[0] = states.getFirst();
            return true;
        });
        return same[0];
    }

    /** Takes a snapshot at all running members and waits for it. */
    public void snapshot() {
        long before = member(awaitLeader()).snapshots();
        await("the leader takes a snapshot", () -> {
            int leader = leader();
            return leader >= 0 && member(leader).takeSnapshot();
        });
        await("the snapshot is there", () -> leader() >= 0 && member(leader()).snapshots() > before);
    }

    /** Waits for a condition; throws an {@link AssertionError} after {@link #PATIENCE}. */
    public void await(String what, BooleanSupplier condition) {
        long begin = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - begin > PATIENCE.toNanos()) {
                throw new AssertionError("not within " + PATIENCE.toSeconds() + " s: " + what);
            }
            LockSupport.parkNanos(this, 1_000_000);
        }
    }

    /** Ends all members and removes their files. */
    @Override
    public void close() {
        heal();
        nodes.forEach(Node::stop);
        members.all().forEach(member -> Ports.giveBack(member.port()));
        remove(folder);
    }

    private static void remove(Path folder) {
        try {
            empty(folder);
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + folder, e);
        }
    }

    private static void empty(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                if (!file.equals(folder)) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    /** One member and what is done to it. */
    private final class Node {
        private final int id;
        private final Path directory;
        private Supplier<? extends StateMachine> machines;
        private final UnaryOperator<ClusterConfig> setting;
        private final Faults faults = new Faults();
        private @Nullable MemberProcess process;
        private boolean wasHere;

        Node(int id, Path directory, Supplier<? extends StateMachine> machines, UnaryOperator<ClusterConfig> setting) {
            this.id = id;
            this.directory = directory;
            this.machines = machines;
            this.setting = setting;
        }

        void start(Joining joining) throws IOException {
            stop();
            faults.heal();
            ServiceConfig service = ServiceConfig.in(directory)
                    .withMaxResponseTime(PATIENCE)
                    .withLimits(limits -> limits.withRings(1 << 20, 1 << 20));
            ClusterConfig config = ClusterConfig.of(members, id, service).withTermBytes(TERM_BYTES);
            process = MemberProcess.start(
                    setting.apply(config).withJoining(joining).withDisturbance(faults), machines);
            wasHere = true;
        }

        void stop() {
            MemberProcess running = process;
            if (running != null) {
                faults.paused(false);
                running.close();
                process = null;
            }
        }
    }
}
