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
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** {@code slipstream jitter}. */
@Command(name = "jitter", mixinStandardHelpOptions = true,
        description = {"Measures for how long a spinning thread is kept from running, CPU by CPU:",
            "what the scheduler, interrupts and a hypervisor take from every program here."})
final class JitterCommand implements Runnable {
    private static final int LONGEST_SECONDS = 3600;

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "5",
            description = "how long to watch each CPU (default: ${DEFAULT-VALUE})")
    private int seconds;

    @Option(names = "--cpus", paramLabel = "LIST", description = "which CPUs, as in 0-3,8 (default: all that are allowed)")
    private @Nullable String cpus;

    @Option(names = "--threshold-ns", paramLabel = "NS", defaultValue = "1000",
            description = "shortest gap that counts (default: ${DEFAULT-VALUE})")
    private long thresholdNanos;

    @Spec
    private CommandSpec spec;

    @SuppressWarnings("NullAway.Init")
    JitterCommand() {
    }

    @Override
    public void run() {
        if (seconds < 1 || seconds > LONGEST_SECONDS) {
            throw wrong("--seconds is from 1 to " + LONGEST_SECONDS + ", not " + seconds);
        }
        if (thresholdNanos < JitterSampler.SHORTEST_THRESHOLD_NANOS) {
            throw wrong("--threshold-ns is " + JitterSampler.SHORTEST_THRESHOLD_NANOS + " or more, not " + thresholdNanos);
        }
        Topology topology = Topology.read();
        int[] watched = watched(topology);
        PrintWriter out = spec.commandLine().getOut();
        List<JitterSample> samples = new ArrayList<>();
        for (int i = 0; i < watched.length; i++) {
            out.printf("watching CPU %d for %d s%n", watched[i], seconds);
            out.flush();
            try {
                samples.add(JitterSampler.sample(watched[i], Duration.ofSeconds(seconds), thresholdNanos));
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
            throw wrong("--cpus: " + e.getMessage());
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
