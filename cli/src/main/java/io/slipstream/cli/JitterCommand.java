package io.slipstream.cli;

import io.slipstream.cli.console.Interruption;
import io.slipstream.cli.console.Usage;
import io.slipstream.core.affinity.CpuSet;
import io.slipstream.core.affinity.JitterSample;
import io.slipstream.core.affinity.JitterSampler;
import io.slipstream.core.affinity.PinPlan;
import io.slipstream.core.affinity.Topology;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code slipstream jitter}. */
@Command(
        name = "jitter",
        mixinStandardHelpOptions = true,
        description = {
            "Measures for how long a spinning thread is kept from running, CPU by CPU.",
            "That is what the scheduler, interrupts and a hypervisor take from every program here."
        })
final class JitterCommand implements Callable<Integer> {
    private static final int LONGEST_SECONDS = 3600;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "5",
            description = "How long to watch each CPU; fractions are allowed.")
    private double seconds;

    @Option(
            names = "--cpus",
            paramLabel = "LIST",
            description = "Which CPUs, as in 0-3,8; all that are allowed if not given.")
    private @Nullable String cpus;

    @Option(
            names = "--threshold-ns",
            paramLabel = "NS",
            defaultValue = "1000",
            description = "Shortest gap that counts, in nanoseconds.")
    private long thresholdNanos;

    @Spec
    private CommandSpec spec;

    @SuppressWarnings("NullAway.Init")
    JitterCommand() {}

    @Override
    public Integer call() throws Exception {
        Usage.aboveZero(spec, "--seconds", seconds, LONGEST_SECONDS);
        Usage.atLeast(spec, "--threshold-ns", thresholdNanos, JitterSampler.SHORTEST_THRESHOLD_NANOS);
        Topology topology = Topology.read();
        int[] watched = watched(topology);
        AtomicBoolean goOn = new AtomicBoolean(true);
        return Interruption.endsInOrder(
                () -> goOn.set(false), "the table could not be shown", () -> watch(watched, goOn));
    }

    private int watch(int[] watched, AtomicBoolean goOn) throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        Duration duration = Duration.ofNanos((long) Math.ceil(seconds * 1e9));
        List<JitterSample> samples = new ArrayList<>();
        for (int i = 0; i < watched.length && goOn.get(); i++) {
            out.printf(
                    Locale.ROOT,
                    "watching CPU %d for %s s%n",
                    watched[i],
                    BigDecimal.valueOf(seconds).stripTrailingZeros().toPlainString());
            out.flush();
            JitterSample sample = JitterSampler.sample(watched[i], duration, thresholdNanos, goOn::get);
            samples.add(sample);
            if (!goOn.get()) {
                out.printf(Locale.ROOT, "interrupted after %.1f s of CPU %d%n", sample.nanos() / 1e9, watched[i]);
            }
        }
        out.print(new JitterTable(samples).draw());
        out.flush();
        return 0;
    }

    private int[] watched(Topology topology) {
        Usage.require(spec, cpus == null || !cpus.isBlank(), "--cpus", "a list of CPUs, as in 0-3,8", "'" + cpus + "'");
        try {
            int[] watched = (cpus == null ? topology.allowed() : CpuSet.parse(cpus))
                    .stream().toArray();
            // The plan refuses CPUs that do not exist or are not allowed.
            PinPlan.cpus(topology, watched);
            return watched;
        } catch (IllegalArgumentException e) {
            throw Usage.wrong(spec, "--cpus " + cpus + ": " + e.getMessage());
        }
    }
}
