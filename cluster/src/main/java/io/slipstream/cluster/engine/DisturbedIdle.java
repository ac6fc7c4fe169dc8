package io.slipstream.cluster.engine;

import io.slipstream.cluster.config.Disturbance;
import org.agrona.concurrent.IdleStrategy;

/** Lets a test hold up a thread of Aeron in each of its rounds. */
record DisturbedIdle(IdleStrategy strategy, Disturbance disturbance) implements IdleStrategy {
    @Override
    public void idle(int workCount) {
        disturbance.round();
        strategy.idle(workCount);
    }

    @Override
    public void idle() {
        disturbance.round();
        strategy.idle();
    }

    @Override
    public void reset() {
        strategy.reset();
    }
}
