package io.slipstream.cli;

import io.slipstream.core.affinity.CpuSet;
import io.slipstream.core.affinity.JitterSample;
import io.slipstream.core.affinity.JitterSampler;
import io.slipstream.core.affinity.PinPlan;
import io.slipstream.core.affinity.Topology;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** {@code slipstream jitter}. */
@Command(name = "jitter", mixinStandardHelpOptions = true,
        description = {"Measures for how long a spinning thread is kept from running, CPU by CPU.",
            "That is what the scheduler, interrupts and a hypervisor take from every program here."})
final class JitterCommand implements Runnable {
    private static final int LONGEST_SECONDS = 3600;

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "5",
            description = "How long to watch each CPU; fractions are allowed.")
    private double seconds;

    @Option(names = "--cpus", paramLabel = "LIST", description = "Which CPUs, as in 0-3,8; all that are allowed if not given.")
    private @Nullable String cpus;

    @Option(names = "--threshold-ns", paramLabel = "NS", defaultValue = "1000",
            description = "Shortest gap that counts, in nanoseconds.")
    private long thresholdNanos;

    @Spec
    private CommandSpec spec;

    @SuppressWarnings("NullAway.Init")
    JitterCommand() {
    }

    @Override
    public void run() {
        Usage.aboveZero(spec, "--seconds", seconds, LONGEST_SECONDS);
        Usage.atLeast(spec, "--threshold-ns", thresholdNanos, JitterSampler.SHORTEST_THRESHOLD_NANOS);
        Topology topology = Topology.read();
        int[] watched = watched(topology);
        PrintWriter out = spec.commandLine().getOut();
        List<JitterSample> samples = new ArrayList<>();
        for (int i = 0; i < watched.length; i++) {
            out.printf("watching CPU %d for %s s%n", watched[i], BigDecimal.valueOf(seconds).stripTrailingZeros().toPlainString());
            out.flush();
            try {
                samples.add(JitterSampler.sample(watched[i], Duration.ofNanos((long) (seconds * 1e9)), thresholdNanos));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
        out.print(new JitterTable(samples).draw());
        out.flush();
    }

    private int[] watched(Topology topology) {
        try {
            int[] watched = (cpus == null ? topology.allowed() : CpuSet.parse(cpus)).stream().toArray();
            // The plan refuses CPUs that do not exist or are not allowed.
            PinPlan.cpus(topology, watched);
            return watched;
        } catch (IllegalArgumentException e) {
            throw Usage.wrong(spec, "--cpus " + cpus + ": " + e.getMessage());
        }
    }
}
