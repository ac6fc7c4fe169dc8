package io.slipstream.sim.pair;

import io.slipstream.sim.journal.BrokenPromise;
import io.slipstream.sim.tally.Life;

/** Lives of two sites with a twin in them, for whoever has loaded it; with types that both sides know. */
public final class TwinPairs {
    private TwinPairs() {}

    /** Returns the first seed that shows that a promise is broken and what was found, or an empty text. */
    public static String firstFinding(int mostSeeds) {
        for (int seed = 1; seed <= mostSeeds; seed++) {
            try {
                Life ignored = new PairSimulation(seed).run();
            } catch (BrokenPromise e) {
                return "seed " + seed + ": " + e.getMessage();
            }
        }
        return "";
    }
}
