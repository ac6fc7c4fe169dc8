package io.slipstream.sim.cluster;

import io.slipstream.sim.journal.BrokenPromise;
import io.slipstream.sim.tally.Life;

/** Lives of a cluster with a twin in it, for whoever has loaded it; with types that both sides know. */
public final class TwinClusters {
    private TwinClusters() {}

    /** Returns the first seed that shows that a promise is broken and what was found, or an empty text. */
    public static String firstFinding(int mostSeeds) {
        for (int seed = 1; seed <= mostSeeds; seed++) {
            try {
                Life ignored = new ClusterSimulation(seed).run();
            } catch (BrokenPromise e) {
                return "seed " + seed + ": " + e.getMessage();
            }
        }
        return "";
    }
}
