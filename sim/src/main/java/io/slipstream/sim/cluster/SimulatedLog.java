package io.slipstream.sim.cluster;

import io.slipstream.sim.host.SimulatedHost;
import io.slipstream.sim.world.Chance;
import io.slipstream.sim.world.Schedule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A log that a majority of members keeps, and who leads it. It has Raft's promises, not its messages: what is committed
 * stays; what is not may be lost when another leader comes, from some item on.
 */
final class SimulatedLog {
    private static final long MILLISECOND = 1_000_000;
    private static final long LONGEST_REPLICATION_NANOS = 5 * MILLISECOND;
    private static final long LOOK_NANOS = 50 * MILLISECOND;
    private static final long ELECTION_NANOS = 400 * MILLISECOND;
    private static final long LONGEST_ELECTION_NANOS = 800 * MILLISECOND;

    private final ClusterSimulation world;
    private final Schedule schedule;
    private final Chance chance;
    private final List<LogItem> items = new ArrayList<>();
    /* Until when a member is cut off from the others. */
    private final long[] cutUntil = new long[ClusterSimulation.MEMBERS];
    /* Until when what a gateway sends may be lost. */
    private long lossyUntil;
    private int committed;
    private int leader = -1;
    private long term;
    private long elections;
    private long lastTimeNanos;
    private long leaderlessSince;

    SimulatedLog(ClusterSimulation world) {
        this.world = world;
        this.schedule = world.schedule();
        this.chance = schedule.chance("log");
        schedule.after(0, this::look);
    }

    /** Returns who leads; -1 for nobody. */
    int leader() {
        return leader;
    }

    /** Returns how many items are there for good. */
    int committed() {
        return committed;
    }

    /** Returns how often there was a new leader. */
    long elections() {
        return elections;
    }

    /** Returns an item; null if it is not there for good. */
    @Nullable
    LogItem next(int index) {
        return index < committed ? items.get(index) : null;
    }

    /** Returns whether an item is the beginning of the present term. */
    boolean isPresentTerm(int index) {
        for (int i = items.size() - 1; i > index; i--) {
            if (items.get(i) instanceof LogItem.Term) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether a member reaches the others. */
    boolean isConnected(int member) {
        return cutUntil[member] <= schedule.nanos();
    }

    /** Lets nothing through between a member and the others for so long. */
    void cut(int member, long nanos) {
        cutUntil[member] = Math.max(cutUntil[member], schedule.nanos() + nanos);
        schedule.after(nanos, world::wakeAll);
    }

    /** Loses some of what gateways send, for so long. */
    void lose(long nanos) {
        lossyUntil = Math.max(lossyUntil, schedule.nanos() + nanos);
    }

    /** Nothing is cut or lost any more. */
    void heal() {
        Arrays.fill(cutUntil, 0);
        lossyUntil = 0;
        world.wakeAll();
    }

    /** The process of a member is no more: one that has led does not go on as the leader when it starts again. */
    void hasEnded(int member) {
        if (leader == member) {
            leader = -1;
        }
    }

    /** Another member becomes the leader, though this one is well. */
    void elect() {
        List<Integer> candidates = new ArrayList<>();
        for (int member = 0; member < ClusterSimulation.MEMBERS; member++) {
            if (isWell(member)) {
                candidates.add(member);
            }
        }
        if (candidates.size() <= ClusterSimulation.MEMBERS / 2) {
            return;
        }
        int kept = committed + chance.random().nextInt(items.size() - committed + 1);
        items.subList(kept, items.size()).clear();
        leader = candidates.get(chance.random().nextInt(candidates.size()));
        term++;
        elections++;
        // The new leader goes by its own clock.
        lastTimeNanos = 0;
        schedule.trace().note("log", "is led from item " + kept + " on by member", leader);
        append(new LogItem.Term(leader));
    }

    /** Lets all take a snapshot, as the housekeeping of the leader does. */
    void snapshot() {
        if (leader >= 0 && isWell(leader) && !world.member(leader).isInDoubt()) {
            append(new LogItem.Snapshot());
        }
    }

    /** What a gateway has sent arrives at who was the leader. */
    void arrives(int from, int at, byte[] bytes) {
        boolean isLost = schedule.nanos() < lossyUntil && chance.random().nextInt(4) == 0;
        if (isLost || at != leader || !isConnected(from) || !isConnected(at)) {
            return;
        }
        SimulatedHost host = world.member(at).running();
        if (host == null) {
            return;
        }
        if (host.pausedUntil() > schedule.nanos()) {
            schedule.after(host.pausedUntil() - schedule.nanos(), () -> arrives(from, at, bytes));
            return;
        }
        lastTimeNanos = Math.max(lastTimeNanos, world.member(at).timeNanos());
        append(new LogItem.Batch(lastTimeNanos, bytes));
    }

    private void append(LogItem item) {
        items.add(item);
        replicate(items.size(), term);
    }

    private void replicate(int end, long ofTerm) {
        schedule.after(chance.someNanos(LONGEST_REPLICATION_NANOS), () -> {
            if (term != ofTerm) {
                return;
            }
            if (!hasMajority()) {
                replicate(end, ofTerm);
                return;
            }
            if (end > committed) {
                committed = end;
                world.wakeAll();
            }
        });
    }

    private boolean isWell(int member) {
        SimulatedHost host = world.member(member).running();
        return host != null && isConnected(member) && host.pausedUntil() <= schedule.nanos();
    }

    private boolean hasMajority() {
        int well = 0;
        for (int member = 0; member < ClusterSimulation.MEMBERS; member++) {
            well += isWell(member) ? 1 : 0;
        }
        return well > ClusterSimulation.MEMBERS / 2 && leader >= 0 && isWell(leader);
    }

    private void look() {
        if (world.isOver()) {
            return;
        }
        if (hasMajority()) {
            leaderlessSince = schedule.nanos();
        } else if (schedule.nanos() - leaderlessSince > chance.someNanos(ELECTION_NANOS, LONGEST_ELECTION_NANOS)) {
            elect();
        }
        schedule.after(LOOK_NANOS, this::look);
    }
}
