package io.slipstream.sim.cluster;

import io.slipstream.sim.network.NetworkFaults;
import io.slipstream.sim.network.SimulatedNetwork;
import io.slipstream.sim.world.Chance;
import io.slipstream.sim.world.Schedule;
import java.util.function.Consumer;

/** Chooses what goes wrong in one life, and does it. */
final class ClusterStrikes {
    private static final ClusterDisaster[] KINDS = ClusterDisaster.values();
    private static final int MOST = 16;
    private static final long SECOND = 1_000_000_000;
    private static final long LONGEST_PAUSE_NANOS = 6 * SECOND;
    private static final long LONGEST_CUT_NANOS = 8 * SECOND;
    private static final long LONGEST_LEAP_NANOS = 60 * SECOND;
    private static final long LONGEST_LATENCY_NANOS = SECOND / 5;
    private static final int MOST_DRIFT_PPM = 2_000;

    private final ClusterSimulation world;
    private final Schedule schedule;
    private final SimulatedNetwork network;
    private final Chance chance;
    private boolean isOver;

    ClusterStrikes(ClusterSimulation world) {
        this.world = world;
        this.schedule = world.schedule();
        this.network = world.network();
        this.chance = schedule.chance("disasters");
    }

    /** Plans all of them, before that time. */
    void plan(long untilNanos) {
        for (int i = chance.random().nextInt(4, MOST); i > 0; i--) {
            ClusterDisaster kind = KINDS[chance.random().nextInt(KINDS.length)];
            schedule.after(SECOND + chance.random().nextLong(untilNanos - SECOND), () -> strike(kind));
        }
    }

    /** Nothing goes wrong any more. */
    void end() {
        isOver = true;
        world.log().heal();
        network.heal();
        network.setFaults(NetworkFaults.NONE);
    }

    private void strike(ClusterDisaster kind) {
        if (isOver || world.isOver()) {
            return;
        }
        schedule.trace().fault("world", kind.name(), 0);
        SimulatedLog log = world.log();
        int some = chance.random().nextInt(ClusterSimulation.MEMBERS);
        int leader = log.leader() < 0 ? some : log.leader();
        switch (kind) {
            case KILL -> world.member(some).dies();
            case KILL_LEADER -> world.member(leader).dies();
            case KILL_ALL -> each(SECOND, Member::dies);
            case RESTART -> world.member(some).restarts();
            case REPLAY -> world.member(some).forgets();
            case PAUSE -> world.member(some).pauses(pauseNanos());
            case PAUSE_LEADER -> world.member(leader).pauses(pauseNanos());
            case CUT_OFF -> log.cut(some, chance.someNanos(SECOND / 100, LONGEST_CUT_NANOS));
            case CUT_OFF_LEADER -> log.cut(leader, chance.someNanos(SECOND / 100, LONGEST_CUT_NANOS));
            case ELECTION -> log.elect();
            case LOSS -> log.lose(chance.someNanos(SECOND / 10, 3 * SECOND));
            case CLIENT_LEAVES -> clientLeaves();
            case KILL_ALL_AND_CLIENT -> {
                each(SECOND, Member::dies);
                schedule.after(2 * SECOND, this::clientLeaves);
            }
            case CUT -> network.cutOne(chance.random().nextBoolean());
            case BAD_NETWORK -> badNetwork();
            case CLOCK_LEAP -> world.member(some).leaps(leapNanos());
            case CLOCK_DRIFT -> world.member(some).drifts(chance.random().nextInt(-MOST_DRIFT_PPM, MOST_DRIFT_PPM));
            case SNAPSHOT_OF_ALL -> log.snapshot();
            case UPGRADE -> {
                world.changeVersion();
                each(3 * SECOND, Member::restarts);
            }
        }
    }

    private void each(long withinNanos, Consumer<Member> action) {
        for (int member = 0; member < ClusterSimulation.MEMBERS; member++) {
            Member one = world.member(member);
            schedule.after(chance.someNanos(withinNanos), () -> action.accept(one));
        }
    }

    private void clientLeaves() {
        if (!isOver) {
            world.client(chance.random().nextInt(world.settings().clients())).beginsAnew();
        }
    }

    private long pauseNanos() {
        return chance.someNanos(SECOND / 100, LONGEST_PAUSE_NANOS);
    }

    private long leapNanos() {
        long nanos = chance.someNanos(SECOND / 100, LONGEST_LEAP_NANOS);
        return chance.random().nextBoolean() ? nanos : -nanos;
    }

    private void badNetwork() {
        network.setFaults(new NetworkFaults(
                chance.someNanos(SECOND / 10_000, LONGEST_LATENCY_NANOS),
                chance.random().nextDouble() / 4,
                chance.random().nextDouble() / 4,
                1 << 16));
        schedule.after(chance.someNanos(SECOND / 10, 3 * SECOND), () -> network.setFaults(NetworkFaults.NONE));
    }
}
