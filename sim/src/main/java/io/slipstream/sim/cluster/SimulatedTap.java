package io.slipstream.sim.cluster;

import io.slipstream.cluster.log.LogTap;
import io.slipstream.sim.world.Chance;
import io.slipstream.sim.world.Schedule;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The way from a member's gateway to the leader: it hears of a new one some time later. */
final class SimulatedTap implements LogTap {
    private static final long MILLISECOND = 1_000_000;
    private static final long LONGEST_WAY_NANOS = 2 * MILLISECOND;
    private static final long LONGEST_NEWS_NANOS = 300 * MILLISECOND;
    private static final int ONE_OF_REFUSED = 20;

    private final SimulatedLog log;
    private final Schedule schedule;
    private final Chance chance;
    private final int member;
    private int target = -1;
    private int heard = -1;
    private boolean changed;
    private long lastArrival;
    private boolean isClosed;

    SimulatedTap(ClusterSimulation world, int member) {
        this.log = world.log();
        this.schedule = world.schedule();
        this.chance = schedule.chance("tap of member " + member);
        this.member = member;
    }

    @Override
    public int work() {
        int leader = log.leader();
        if (leader >= 0 && leader != heard && log.isConnected(member)) {
            heard = leader;
            schedule.after(chance.someNanos(LONGEST_NEWS_NANOS), () -> {
                target = heard;
                changed = true;
            });
        }
        return 0;
    }

    @Override
    public boolean isOpen() {
        return target >= 0 && !isClosed;
    }

    @Override
    public boolean hasChanged() {
        boolean was = changed;
        changed = false;
        return was;
    }

    @Override
    public boolean offer(MemorySegment entry, int length) {
        if (!isOpen() || chance.random().nextInt(ONE_OF_REFUSED) == 0) {
            return false;
        }
        byte[] bytes = entry.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
        int to = target;
        lastArrival = Math.max(lastArrival + 1, schedule.nanos() + chance.someNanos(LONGEST_WAY_NANOS));
        schedule.after(lastArrival - schedule.nanos(), () -> log.arrives(member, to, bytes));
        return true;
    }

    @Override
    public void close() {
        isClosed = true;
    }
}
