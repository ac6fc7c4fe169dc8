package io.slipstream.cluster.engine;

import org.agrona.concurrent.IdleStrategy;

/** Lets a test hold up a thread of Aeron in each of its rounds. */
record DisturbedIdle(IdleStrategy strategy, Runnable disturbance) implements IdleStrategy {
    @Override
    public void idle(int workCount) {
        disturbance.run();
        strategy.idle(workCount);
    }

    @Override
    public void idle() {
        disturbance.run();
        strategy.idle();
    }

    @Override
    public void reset() {
        strategy.reset();
    }
}
