package io.slipstream.cli.sim;

import io.slipstream.sim.pair.PairSimulation;
import io.slipstream.sim.tally.Life;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/** {@code slipstream sim sites}. */
@Command(
        name = "sites",
        mixinStandardHelpOptions = true,
        description = {
            "Runs a service and its backup site, and promotes the backup, on simulated disks and networks that fail.",
            "A life that breaks a promise is printed with its seed; --runs 1 with that seed plays it again, and"
                    + " --trace shows every event."
        })
final class SimulateSites extends TallyLives {
    SimulateSites() {
        super("promotions");
    }

    @Override
    Life lifeOf(long seed, @Nullable Consumer<String> events) {
        PairSimulation life = new PairSimulation(seed);
        return events == null ? life.run() : life.trace(events).run();
    }
}
