package io.slipstream.cli.sim;

import io.slipstream.sim.example.Shop;
import io.slipstream.sim.service.Simulation;
import picocli.CommandLine.Command;

/** {@code slipstream sim service}. */
@Command(
        name = "service",
        mixinStandardHelpOptions = true,
        description = {
            "Runs a small service with its clients on simulated disks, clocks and networks that fail.",
            "A life that breaks a promise is printed with its seed and what had to go wrong; --runs 1 with that seed "
                    + "plays it again, and --trace shows every event."
        })
final class SimulateService extends SimulateLives {
    @Override
    Simulation<?> simulation() {
        return Simulation.of(Shop::new, Shop::random)
                .topics(Shop.NEWS)
                .upgrade(() -> new Shop(1))
                .invariant(Shop::requireBalance);
    }
}
