package io.slipstream.cli.demo;

import io.slipstream.cli.console.Usage;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code slipstream demo cluster}. */
@Command(
        name = "cluster",
        mixinStandardHelpOptions = true,
        description = {
            "Starts an exchange on three processes, loads it, kills the leader and a follower, and proves "
                    + "that nothing was lost or done twice.",
            "Exits with 0 if no claim is broken."
        })
final class ClusterDemoCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--port",
            paramLabel = "P",
            defaultValue = "7600",
            description = "First of the 27 ports that the members use.")
    private int port;

    @SuppressWarnings("NullAway.Init")
    ClusterDemoCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        Usage.range(spec, "--port", port, 1, 65_000);
        try (DemoFolder folder = DemoFolder.open(null);
                ClusterDemo demo =
                        new ClusterDemo(folder.path(), port, spec.commandLine().getOut())) {
            Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(() -> end(demo, folder)));
            return demo.run() ? 0 : 1;
        }
    }

    private static void end(ClusterDemo demo, DemoFolder folder) {
        demo.close();
        folder.remove();
    }
}
