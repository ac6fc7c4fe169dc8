package io.slipstream.sim.pair;

import io.slipstream.sim.network.NetworkFaults;
import io.slipstream.sim.network.SimulatedNetwork;
import io.slipstream.sim.world.Chance;
import io.slipstream.sim.world.Schedule;

/** Chooses what goes wrong in one life, and does it. */
final class PairStrikes {
    private static final PairDisaster[] KINDS = PairDisaster.values();
    private static final int MOST = 10;
    private static final long SECOND = 1_000_000_000;
    private static final long LONGEST_CUT_NANOS = 8 * SECOND;
    private static final long LONGEST_PAUSE_NANOS = 6 * SECOND;
    private static final long LONGEST_DELAY_NANOS = SECOND / 5;
    private static final long LONGEST_LATENCY_NANOS = SECOND / 5;
    private static final long LONGEST_FULL_NANOS = 4 * SECOND;
    private static final int MOST_FREE_BYTES = 1 << 16;

    private final PairSimulation world;
    private final Schedule schedule;
    private final SimulatedNetwork network;
    private final Chance chance;
    private boolean isOver;

    PairStrikes(PairSimulation world) {
        this.world = world;
        this.schedule = world.schedule();
        this.network = world.network();
        this.chance = schedule.chance("disasters");
    }

    /** Plans all of them, before that time. */
    void plan(long untilNanos) {
        for (int i = chance.random().nextInt(2, MOST); i > 0; i--) {
            PairDisaster kind = KINDS[chance.random().nextInt(KINDS.length)];
            schedule.after(SECOND / 2 + chance.random().nextLong(untilNanos - SECOND / 2), () -> strike(kind));
        }
    }

    /** Nothing goes wrong any more. */
    void end() {
        isOver = true;
        network.heal();
        network.setFaults(NetworkFaults.NONE);
    }

    private void strike(PairDisaster kind) {
        if (isOver || world.isOver()) {
            return;
        }
        PairSite site = chance.random().nextBoolean() ? world.primary() : world.backup();
        long ignored = world.acknowledged();
        schedule.trace().fault(site.name, kind.name(), 0);
        switch (kind) {
            case KILL -> site.dies(false);
            case KILL_IN_WRITE -> site.diesInWrite(false);
            case POWER_CUT -> site.dies(true);
            case POWER_CUT_IN_WRITE -> site.diesInWrite(true);
            case RESTART -> site.restarts();
            case PAUSE -> site.pauses(chance.someNanos(SECOND / 100, LONGEST_PAUSE_NANOS));
            case SLOW_DISK -> slowDisk(site);
            case FULL_DISK -> fullDisk(site);
            case CUT_LINK -> cutLink(cutNanos());
            case CUT_LINK_ONE_WAY ->
                network.partition(
                        PairSettings.SITE_PORT, cutNanos(), chance.random().nextBoolean());
            case CUT -> network.cutOne(chance.random().nextBoolean());
            case BAD_NETWORK -> badNetwork();
            case PROMOTE -> world.backup().promote(1);
            case PROMOTE_TWICE -> world.backup().promote(2);
            case PROMOTE_BEHIND_DEATH -> {
                world.primary().dies(chance.random().nextBoolean());
                promoteSoon();
            }
            case PROMOTE_BEHIND_CUT -> {
                cutLink(cutNanos());
                promoteSoon();
            }
        }
    }

    private void promoteSoon() {
        schedule.after(chance.someNanos(SECOND), () -> {
            if (!isOver) {
                world.backup().promote(1);
            }
        });
    }

    private long cutNanos() {
        return chance.someNanos(SECOND / 100, LONGEST_CUT_NANOS);
    }

    private void cutLink(long nanos) {
        network.partition(PairSettings.SITE_PORT, nanos, true);
        network.partition(PairSettings.SITE_PORT, nanos, false);
    }

    private void slowDisk(PairSite site) {
        site.slowsDown(chance.someNanos(SECOND / 1000, LONGEST_DELAY_NANOS));
        schedule.after(chance.someNanos(SECOND, 4 * SECOND), () -> site.slowsDown(0));
    }

    private void fullDisk(PairSite site) {
        site.fills(chance.random().nextInt(MOST_FREE_BYTES));
        schedule.after(chance.someNanos(SECOND / 10, LONGEST_FULL_NANOS), site::empties);
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
