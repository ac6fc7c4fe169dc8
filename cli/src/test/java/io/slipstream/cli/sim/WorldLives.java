package io.slipstream.cli.sim;

import io.slipstream.sim.service.Simulation;
import io.slipstream.sim.service.SimulationFailure;
import io.slipstream.sim.service.SimulationReport;

/** Lives of the worlds of the command, for whoever has loaded it; with types that both sides know. */
public final class WorldLives {
    private WorldLives() {}

    /** Returns the first seed that shows that a promise is broken and what was found, or an empty text. */
    public static String firstFinding(String world, int mostSeeds) {
        SimulateLives command = switch (world) {
            case "exchange" -> new SimulateExchange();
            case "ledger" -> new SimulateLedger();
            default -> new SimulateKeyValue();
        };
        Simulation<?> simulation = command.simulation();
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
