package io.slipstream.sim.service;

import io.slipstream.sim.workload.Guest;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** All who speak another protocol in a life. */
final class Guests {
    private final List<Talker> talkers = new ArrayList<>();

    /** Lets so many come. */
    void come(World<?> world, int count, IntFunction<? extends Guest> guests) {
        for (int i = 1; i <= count; i++) {
            talkers.add(new Talker(world, i, guests.apply(i)));
        }
    }

    /** They say nothing any more. */
    void finish() {
        talkers.forEach(Talker::finish);
    }

    /** Returns how many requests have no answer yet. */
    int open() {
        return talkers.stream().mapToInt(Talker::open).sum();
    }

    /** What they were answered may be gone. */
    void lose() {
        talkers.forEach(Talker::loses);
    }

    /** They leave without a word. */
    void leave() {
        talkers.forEach(Talker::leave);
    }
}
