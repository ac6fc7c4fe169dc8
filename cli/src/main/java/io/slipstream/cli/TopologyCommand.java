package io.slipstream.cli;

import io.slipstream.core.affinity.Topology;
import io.slipstream.core.memory.CacheLine;
import io.slipstream.core.memory.Pages;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code slipstream topology}. */
@Command(
        name = "topology",
        mixinStandardHelpOptions = true,
        description = {
            "Draws the machine, and which CPUs this process may use.",
            "It shows sockets, cores, hyper-threads, caches, memory nodes and pages."
        })
final class TopologyCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Option(names = "--json", description = "Prints the same as one JSON object.")
    private boolean json;

    @SuppressWarnings("NullAway.Init")
    TopologyCommand() {}

    @Override
    public void run() {
        spec.commandLine()
                .getOut()
                .print(
                        json
                                ? TopologyReport.ofThisMachine().json() + "\n"
                                : TerminalWidth.wrap(new TopologyDrawing(
                                                Topology.read(), Pages.ofThisMachine(), CacheLine.bytesOfThisMachine())
                                        .draw()));
        spec.commandLine().getOut().flush();
    }
}
