package io.slipstream.cli.journal;

import io.slipstream.service.testing.ReplayCheck;
import io.slipstream.service.testing.ReplayCheck.Diverged;
import io.slipstream.service.testing.ReplayCheck.Proof;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code slipstream journal check}. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        description = {
            "Proves that a state machine still leads to the states that a log tells of.",
            "Replays the log of a service from its first entry, or from its oldest snapshot if it was trimmed, and"
                    + " compares the state with every hash and every snapshot on the way. Stop the service before.",
            "Ends with 0 if all agree, and with 1 if not."
        })
final class CheckCommand implements Callable<Integer> {
    @Mixin
    private MachineOption replay;

    @Option(names = "--json", description = "Writes JSON, one object.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @SuppressWarnings("NullAway.Init")
    CheckCommand() {}

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        ReplayProgress progress = new ReplayProgress(spec.commandLine().getErr());
        try (Machines machines = replay.machines()) {
            ReplayCheck.Result result = ReplayCheck.run(replay.folder(), machines.named(replay.machine()), progress);
            if (json) {
                out.println(CheckReport.json(result));
            } else {
                tell(result, out);
            }
            return result instanceof Proof ? 0 : 1;
        }
    }

    private static void tell(ReplayCheck.Result result, PrintWriter out) {
        switch (result) {
            case Proof proof -> {
                out.printf(
                        Locale.ROOT,
                        "Replayed entries %,d to %,d; the state behind the last one is %x.%n",
                        proof.after() + 1,
                        proof.last(),
                        proof.stateHash());
                out.printf(
                        Locale.ROOT,
                        "It agreed with the log at %,d checks and %,d snapshots, the last one behind entry %,d.%n",
                        proof.checks(),
                        proof.snapshots(),
                        proof.proven());
                if (proof.proven() < proof.last() - 1) {
                    out.printf(
                            Locale.ROOT,
                            "What it was behind the %,d entries after that is not proven.%n",
                            proof.last() - proof.proven());
                }
                if (proof.failures() > 0) {
                    out.printf(Locale.ROOT, "The machine has thrown %,d times.%n", proof.failures());
                }
            }
            case Diverged diverged -> out.printf(Locale.ROOT, "The replay diverged: %s.%n", diverged.text());
        }
    }
}
