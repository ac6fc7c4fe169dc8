package io.slipstream.sim.host;

import io.slipstream.service.host.Host;
import io.slipstream.sim.world.Schedule;

/** A thread of a simulated process that looks at something now and then, also while all others hang. */
final class SimulatedWatch implements Host.Alarm {
    private final SimulatedHost host;
    private final Schedule schedule;
    private final long pauseNanos;
    private final Runnable look;
    private boolean isClosed;

    SimulatedWatch(SimulatedHost host, long pauseNanos, Runnable look) {
        this.host = host;
        this.schedule = host.schedule();
        this.pauseNanos = pauseNanos;
        this.look = look;
        schedule.after(pauseNanos, this::turn);
    }

    private void turn() {
        if (isClosed || host.isDead()) {
            return;
        }
        long pause = host.pausedUntil() - schedule.nanos();
        if (pause <= 0) {
            look.run();
            pause = pauseNanos;
        }
        schedule.after(pause, this::turn);
    }

    @Override
    public void close() {
        isClosed = true;
    }
}
