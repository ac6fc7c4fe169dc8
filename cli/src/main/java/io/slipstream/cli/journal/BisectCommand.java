package io.slipstream.cli.journal;

import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.testing.Bisection;
import io.slipstream.service.testing.Bisection.Between;
import io.slipstream.service.testing.Bisection.Differs;
import io.slipstream.service.testing.Bisection.Same;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code slipstream journal bisect}. */
@Command(
        name = "bisect",
        mixinStandardHelpOptions = true,
        description = {
            "Finds the entry at which a state machine diverges.",
            "Replays the log of a service twice, side by side, from its first entry or, if it was trimmed, its oldest"
                    + " snapshot. Two machines of the same code find what is not"
                    + " deterministic; the former code (--against) finds what a change has changed. Stop the service"
                    + " before.",
            "Ends with 0 if there is no such entry, and with 1 if there is."
        })
final class BisectCommand implements Callable<Integer> {
    @Mixin
    private MachineOption replay;

    @Option(
            names = "--against",
            paramLabel = "MACHINE",
            description = "The machine to compare it with; the same if" + " --against-class-path is given alone.")
    private @Nullable String against;

    @Option(names = "--against-class-path", paramLabel = "PATH", description = "Where the class of that one is.")
    private @Nullable String againstClassPath;

    @Option(names = "--json", description = "Writes JSON, one object.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @SuppressWarnings("NullAway.Init")
    BisectCommand() {}

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        ReplayProgress progress = new ReplayProgress(spec.commandLine().getErr());
        String otherPath = againstClassPath == null ? replay.classPath() : againstClassPath;
        try (Machines ones = replay.machines();
                Machines others = new Machines(replay.folder(), otherPath)) {
            Supplier<StateMachine> one = ones.named(replay.machine());
            Supplier<StateMachine> other = others.named(against == null ? replay.machine() : against);
            Bisection.Finding finding = Bisection.find(replay.folder(), one, other, progress);
            if (json) {
                out.println(BisectReport.json(finding));
            } else {
                say(finding, out);
            }
            return finding instanceof Same ? 0 : 1;
        }
    }

    private void say(Bisection.Finding finding, PrintWriter out) {
        boolean isTwin = against == null && againstClassPath == null;
        switch (finding) {
            case Same same ->
                out.printf(
                        Locale.ROOT,
                        "Both replays of %d entries came to the same state, %x, as the log says.%n",
                        same.entry(),
                        same.hash());
            case Differs differs -> {
                out.printf(Locale.ROOT, "The first difference is behind entry %s.%n", differs.text());
                if (differs.session() != 0) {
                    out.printf(
                            Locale.ROOT,
                            "It was sent by session %d, and entered the log at %s.%n",
                            differs.session(),
                            differs.time());
                }
                out.printf(
                        Locale.ROOT,
                        "The state was %x there, and %x the other time.%n",
                        differs.firstHash(),
                        differs.secondHash());
                out.println(
                        isTwin
                                ? "The machine is not deterministic: the same code went two ways."
                                : "There the two machines went different ways.");
            }
            case Between between
            when between.logged() -> {
                out.printf(
                        Locale.ROOT,
                        "Both replays agree, but not with the log: behind entry %d the state was another one,%n",
                        between.upTo());
                out.printf(
                        Locale.ROOT,
                        "and behind entry %d it was the same. The code that wrote the log was not this one.%n",
                        between.after());
                out.println("Give the former code with --against or --against-class-path to see the entry.");
            }
            case Between between -> {
                out.printf(
                        Locale.ROOT,
                        "Two replays differed once, between entries %d and %d, and then no more.%n",
                        between.after() + 1,
                        between.upTo());
                out.println("The machine is not deterministic, but seldom; run this again.");
            }
        }
    }
}
