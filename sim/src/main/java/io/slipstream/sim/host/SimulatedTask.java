package io.slipstream.sim.host;

import io.slipstream.core.thread.DutyCycle;
import io.slipstream.service.host.Host;
import io.slipstream.sim.world.Schedule;
import java.util.Arrays;

/**
 * The duties of one thread of a simulated process. They have a turn when something happens that could concern them, and
 * now and then.
 */
final class SimulatedTask implements Host.Task {
    private static final long LONGEST_SLEEP_NANOS = 100_000_000;
    private static final long ROUND_NANOS = 20_000;
    private static final long EARLIEST_TIMER_NANOS = 50_000;

    private final SimulatedHost host;
    private final Schedule schedule;
    private final DutyCycle cycle;
    private final Runnable look = this::look;
    private long nextAt = Long.MAX_VALUE;
    /* When it looks whether it has a turn; the last is the next one, and each is earlier than those before. */
    private long[] looks = new long[8];
    private int lookCount;
    private long stuckUntil;
    private boolean isStarted;
    private boolean isInRound;

    SimulatedTask(SimulatedHost host, DutyCycle cycle) {
        this.host = host;
        this.schedule = host.schedule();
        this.cycle = cycle;
    }

    @Override
    public void start() {
        isStarted = true;
        cycle.start();
        soon();
    }

    @Override
    public boolean isAlive() {
        return isStarted && !host.isDead() && cycle.isActive();
    }

    @Override
    public void close() {
        cycle.close();
    }

    /** One that is in the middle of a round does not end while anybody waits for that on the same real thread. */
    @Override
    public boolean end(long nanos) {
        if (isInRound) {
            return false;
        }
        close();
        return true;
    }

    boolean isInRound() {
        return isInRound;
    }

    /** Gives it a turn in a moment, unless it has one before. */
    void soon() {
        if (isAlive()) {
            planIn(host.chance().someNanos(ROUND_NANOS));
        }
    }

    private void planIn(long nanos) {
        long at = Math.max(schedule.nanos() + nanos, Math.max(host.pausedUntil(), stuckUntil));
        if (at < nextAt) {
            nextAt = at;
            lookAt(at);
        }
    }

    /** Looks at that time, unless it does so before. */
    private void lookAt(long at) {
        if (lookCount > 0 && looks[lookCount - 1] <= at) {
            return;
        }
        if (lookCount == looks.length) {
            looks = Arrays.copyOf(looks, 2 * lookCount);
        }
        looks[lookCount++] = at;
        schedule.after(at - schedule.nanos(), look);
    }

    private void look() {
        lookCount--;
        if (isInRound) {
            // The round plans the next one when it ends.
            nextAt = Long.MAX_VALUE;
            return;
        }
        if (nextAt > schedule.nanos()) {
            if (nextAt < Long.MAX_VALUE) {
                lookAt(nextAt);
            }
            return;
        }
        nextAt = Long.MAX_VALUE;
        if (!isAlive()) {
            return;
        }
        if (schedule.nanos() < Math.max(host.pausedUntil(), stuckUntil)) {
            planIn(0);
            return;
        }
        isInRound = true;
        int done;
        try {
            done = cycle.round();
        } finally {
            isInRound = false;
        }
        stuckUntil = schedule.nanos() + host.roundDone();
        if (done > 0) {
            host.wake();
        } else {
            planIn(Math.clamp(host.nanosToDeadline(), EARLIEST_TIMER_NANOS, LONGEST_SLEEP_NANOS));
        }
    }
}
