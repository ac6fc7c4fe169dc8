package io.slipstream.sim.service;

import io.slipstream.sim.example.Shop;

/** Lives of a twin, for whoever has loaded it; with types that both sides know. */
public final class TwinLives {
    private TwinLives() {}

    /** Returns the first seed that shows that a promise is broken and what was found, or an empty text. */
    public static String firstFinding(int mostSeeds) {
        Simulation<Shop> simulation = Simulation.of(Shop::new, Shop::random).topics(Shop.NEWS);
        for (int seed = 1; seed <= mostSeeds; seed++) {
            try {
                simulation.run(seed, new SimulationReport());
            } catch (SimulationFailure failure) {
                return "seed " + seed + ": " + failure.finding();
            }
        }
        return "";
    }
}
