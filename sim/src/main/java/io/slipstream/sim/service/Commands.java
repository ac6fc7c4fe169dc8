package io.slipstream.sim.service;

import java.util.random.RandomGenerator;

/** Makes up what the clients of a simulation send. */
@FunctionalInterface
public interface Commands {
    /** Returns the payload of another command; all chance must come from {@code random}. */
    byte[] next(RandomGenerator random);
}
