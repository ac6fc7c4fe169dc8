package io.slipstream.cli.sim;

import io.slipstream.keyvalue.KeyValueStore;
import io.slipstream.keyvalue.resp.RespProtocol;
import io.slipstream.sim.service.Simulation;
import picocli.CommandLine.Command;

/** {@code slipstream sim keyvalue}. */
@Command(
        name = "keyvalue",
        mixinStandardHelpOptions = true,
        description = {
            "Runs the key-value store with its clients on simulated disks, clocks and networks that fail.",
            "A life that breaks a promise is printed with its seed and what had to go wrong; --runs 1 with that seed "
                    + "plays it again, and --trace shows every event."
        })
final class SimulateKeyValue extends SimulateLives {
    private static final int MOST_GUESTS = 2;

    @Override
    Simulation<?> simulation() {
        return Simulation.ofLives(KeyValueStore::new, random -> {
                    boolean evictsAll = random.nextBoolean();
                    return number -> new StoreClient(number, evictsAll);
                })
                .guests(RespProtocol::new, MOST_GUESTS, random -> {
                    boolean evictsAll = random.nextBoolean();
                    return number -> new RespGuest(number, evictsAll);
                });
    }
}
