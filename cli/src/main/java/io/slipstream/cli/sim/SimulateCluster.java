package io.slipstream.cli.sim;

import io.slipstream.sim.cluster.ClusterSimulation;
import io.slipstream.sim.tally.Life;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/** {@code slipstream sim cluster}. */
@Command(
        name = "cluster",
        mixinStandardHelpOptions = true,
        description = {
            "Runs three members of a cluster, over a simulated log and networks that fail, with elections and"
                    + " upgrades.",
            "A life that breaks a promise is printed with its seed; --runs 1 with that seed plays it again, and"
                    + " --trace shows every event."
        })
final class SimulateCluster extends TallyLives {
    SimulateCluster() {
        super("elections");
    }

    @Override
    Life lifeOf(long seed, @Nullable Consumer<String> events) {
        ClusterSimulation life = new ClusterSimulation(seed);
        return events == null ? life.run() : life.trace(events).run();
    }
}
