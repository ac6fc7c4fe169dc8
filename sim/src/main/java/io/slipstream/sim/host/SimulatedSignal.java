package io.slipstream.sim.host;

import io.slipstream.core.thread.Signal;
import io.slipstream.core.thread.WaitStrategy;

/** A signal whose sleeper lets the rest of the world go on. */
final class SimulatedSignal extends Signal {
    private final SimulatedHost host;
    private boolean isWoken;

    SimulatedSignal(SimulatedHost host) {
        this.host = host;
    }

    @Override
    protected void await(long nanos) {
        SimulatedThread.await(
                host, () -> isWoken, nanos == WaitStrategy.UNTIL_WOKEN_NANOS ? SimulatedThread.FOREVER : nanos);
        isWoken = false;
    }

    @Override
    protected void interruptSleep(Thread thread) {
        isWoken = true;
        host.wake();
    }
}
