package io.slipstream.sim.service;

import io.slipstream.sim.example.Shop;

/** Lives of a twin, for whoever has loaded it; with types that both sides know. */
public final class TwinLives {
    private TwinLives() {}

    /** As {@link #firstFinding}, of a shop whose news are long, and of a client that reads them slowly. */
    public static String firstFindingOfSlowReader(int mostSeeds) {
        return firstFinding(slowReaders(), mostSeeds);
    }

    /** Returns lives in which much is published, and a client reads slowly. */
    static Simulation<Shop> slowReaders() {
        return Simulation.of(Shop::new, random -> {
                    byte[] payload = new byte[2 + random.nextInt(1800)];
                    payload[0] = (byte) random.nextInt(4);
                    return payload;
                })
                .topics(Shop.NEWS)
                .commands(400)
                .disasters(
                        new Disaster(500_000_000, Disaster.Kind.SLOW_READER, 0),
                        new Disaster(4_000_000_000L, Disaster.Kind.SLOW_READER, 1));
    }

    /** Returns the first seed that shows that a promise is broken and what was found, or an empty text. */
    public static String firstFinding(int mostSeeds) {
        return firstFinding(Simulation.of(Shop::new, Shop::random).topics(Shop.NEWS), mostSeeds);
    }

    private static String firstFinding(Simulation<Shop> simulation, int mostSeeds) {
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
