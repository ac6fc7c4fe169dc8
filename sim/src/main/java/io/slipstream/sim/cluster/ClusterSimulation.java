package io.slipstream.sim.cluster;

import io.slipstream.cluster.log.MemberState;
import io.slipstream.cluster.log.ReplicatedService;
import io.slipstream.sim.host.SimulatedHost;
import io.slipstream.sim.journal.BrokenPromise;
import io.slipstream.sim.network.SimulatedNetwork;
import io.slipstream.sim.tally.Floor;
import io.slipstream.sim.tally.Life;
import io.slipstream.sim.tally.TallyClient;
import io.slipstream.sim.world.Schedule;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * A life of a cluster of three members, from one seed. First anything may go wrong. Then nothing does any more: all
 * members must come to the same state, and still have it when one has replayed the log, another one has loaded its
 * snapshot, and clients have gone on.
 *
 * <p>For one thread, and for one life.
 */
public final class ClusterSimulation {
    static final int MEMBERS = 3;

    private static final long SECOND = 1_000_000_000;
    private static final long STEP_NANOS = SECOND / 10;
    private static final long DISASTER_NANOS = 15 * SECOND;
    private static final long AFTERWARDS_NANOS = 3 * SECOND;
    private static final long LIVENESS_NANOS = 120 * SECOND;

    private final Schedule schedule;
    private final SimulatedNetwork network;
    private final ClusterSettings settings;
    private final SimulatedLog log;
    private final List<Member> members;
    private final ClusterStrikes strikes;
    private final List<TallyClient> clients = new ArrayList<>();
    private int version;
    private String finding = "";
    private boolean isOver;

    /** Creates the life that follows from {@code seed}. */
    public ClusterSimulation(long seed) {
        this.schedule = new Schedule(seed);
        this.network = new SimulatedNetwork(schedule);
        this.settings = new ClusterSettings(schedule.chance("settings").random());
        this.log = new SimulatedLog(this);
        this.members =
                IntStream.range(0, MEMBERS).mapToObj(id -> new Member(this, id)).toList();
        this.strikes = new ClusterStrikes(this);
    }

    /** Hands each event to {@code listener} as a line of text. */
    public ClusterSimulation trace(Consumer<String> listener) {
        schedule.trace().listener(listener);
        return this;
    }

    /**
     * Lives it.
     *
     * @throws BrokenPromise if a promise was not kept
     */
    public Life run() {
        try {
            live();
        } finally {
            isOver = true;
            clients.forEach(TallyClient::leave);
            members.forEach(Member::ends);
        }
        if (!finding.isEmpty()) {
            throw new BrokenPromise(finding);
        }
        return new Life(
                schedule.trace().hash(),
                schedule.nanos(),
                clients.stream().mapToLong(TallyClient::offered).sum(),
                clients.stream().mapToLong(client -> client.answered().size()).sum(),
                log.elections(),
                schedule.trace().faults());
    }

    private void live() {
        members.forEach(member -> schedule.after(0, member::boot));
        Floor floor = new Floor(wrong -> require(false, wrong));
        for (int i = 1; i <= settings.clients(); i++) {
            clients.add(new TallyClient(schedule, network, i, ClusterSettings.addresses(), floor));
        }
        strikes.plan(DISASTER_NANOS);
        runUntil(DISASTER_NANOS, () -> false);
        strikes.end();
        comeToRest("the last disaster");
        requireOneState("live");
        members.get(0).forgets();
        members.get(1).dies();
        schedule.runUntil(schedule.nanos() + STEP_NANOS);
        comeToRest("two members have started again");
        requireOneState("replayed and loaded");
        goOn();
        requireOneState("afterwards");
        requireOnce();
    }

    /** Everybody is served now. */
    private void goOn() {
        long failures = failures();
        List<Integer> before =
                clients.stream().map(client -> client.answered().size()).toList();
        clients.forEach(TallyClient::goOn);
        runUntil(schedule.nanos() + AFTERWARDS_NANOS, () -> false);
        comeToRest("clients have gone on");
        for (int i = 0; i < clients.size(); i++) {
            require(clients.get(i).answered().size() > before.get(i), "client " + (i + 1) + " is served no more");
        }
        require(failures() == failures, "a client is refused though all is well");
    }

    private long failures() {
        return clients.stream().mapToLong(TallyClient::failures).sum();
    }

    private void runUntil(long nanos, BooleanSupplier isEnough) {
        while (schedule.nanos() < nanos && finding.isEmpty() && !isEnough.getAsBoolean()) {
            schedule.runUntil(Math.min(nanos, schedule.nanos() + STEP_NANOS));
        }
    }

    Schedule schedule() {
        return schedule;
    }

    SimulatedNetwork network() {
        return network;
    }

    ClusterSettings settings() {
        return settings;
    }

    SimulatedLog log() {
        return log;
    }

    TallyClient client(int number) {
        return clients.get(number);
    }

    Member member(int id) {
        return members.get(id);
    }

    /** Returns the version of the state machine that members start with. */
    int version() {
        return version;
    }

    /** Members start with the next version from now on; once all have, an operator lets the log go over to it. */
    void changeVersion() {
        version++;
        schedule.after(STEP_NANOS, () -> switchTo(version));
    }

    private void switchTo(int to) {
        if (isOver() || to != version) {
            return;
        }
        boolean isKnown = members.stream()
                .allMatch(member -> member.running() != null
                        && member.service() instanceof ReplicatedService service
                        && service.isPresent()
                        && service.knownVersion() == to);
        if (isKnown && member(0).service() instanceof ReplicatedService service) {
            service.upgrade();
            schedule.trace().note("world", "asks for version", to);
        } else {
            schedule.after(STEP_NANOS, () -> switchTo(to));
        }
    }

    boolean isOver() {
        return isOver || !finding.isEmpty();
    }

    void wakeAll() {
        for (Member member : members) {
            SimulatedHost host = member.running();
            if (host != null) {
                host.wake();
            }
        }
    }

    /** Notes the first promise that is broken. */
    void require(boolean holds, String otherwise) {
        if (!holds && finding.isEmpty()) {
            finding = otherwise;
            schedule.trace().note("world", otherwise, 0);
        }
    }

    private int open() {
        return clients.stream().mapToInt(TallyClient::open).sum();
    }

    private void comeToRest(String behind) {
        clients.forEach(TallyClient::finish);
        schedule.trace().note("world", "calm", open());
        runUntil(schedule.nanos() + LIVENESS_NANOS, this::isAtRest);
        if (finding.isEmpty() && !isAtRest()) {
            require(false, LIVENESS_NANOS / SECOND + " s after " + behind + " " + unrest());
        }
    }

    private boolean isAtRest() {
        return open() == 0 && members.stream().allMatch(Member::isAtRest);
    }

    private String unrest() {
        return open() > 0
                ? open() + " commands are not answered"
                : "member "
                        + members.stream()
                                .filter(member -> !member.isAtRest())
                                .findFirst()
                                .map(members::indexOf)
                                .orElse(-1)
                        + " does not let clients in, has not applied the log, or has timers that were due";
    }

    /** S4 and C2: live, replayed and loaded, all members have the same. */
    private void requireOneState(String how) {
        if (!finding.isEmpty()) {
            return;
        }
        long deadline = schedule.nanos() + LIVENESS_NANOS;
        Set<MemberState> states = states();
        // A timer may come due between two of them.
        while (states.stream().mapToLong(MemberState::sequence).distinct().count() > 1
                && schedule.nanos() < deadline
                && finding.isEmpty()) {
            schedule.runUntil(schedule.nanos() + STEP_NANOS);
            states = states();
        }
        require(states.size() == 1, "members have different states, " + how + ": " + states);
        require(members.stream().noneMatch(Member::isInDoubt), "members are in doubt, " + how);
    }

    private Set<MemberState> states() {
        List<CompletableFuture<MemberState>> asked = new ArrayList<>();
        for (Member member : members) {
            if (member.service() instanceof ReplicatedService service) {
                asked.add(service.replicated().state());
            }
        }
        wakeAll();
        runUntil(schedule.nanos() + LIVENESS_NANOS, () -> asked.stream().allMatch(CompletableFuture::isDone));
        require(
                asked.size() == MEMBERS && asked.stream().allMatch(CompletableFuture::isDone),
                "a member does not say where it is");
        Set<MemberState> states = new HashSet<>();
        asked.forEach(state -> states.add(state.getNow(new MemberState(-1, 0, 0))));
        return states;
    }

    /** What was answered is there, once, at each member. */
    private void requireOnce() {
        if (!finding.isEmpty()) {
            return;
        }
        for (Member member : members) {
            List<Long> applied = member.machine().applied();
            Set<Long> there = new HashSet<>(applied);
            require(there.size() == applied.size(), "a command was applied twice");
            require(!member.machine().wentBack(), "the time of the log went back");
            for (TallyClient client : clients) {
                List<Long> answered = client.answered();
                require(new HashSet<>(answered).size() == answered.size(), "a command was answered twice");
                for (long id : answered) {
                    require(there.contains(id), "command " + id + " was answered, and is not there");
                }
            }
        }
    }
}
