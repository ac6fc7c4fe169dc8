package io.slipstream.lab;

import io.slipstream.lab.machine.MachineSheet;
import java.util.ArrayList;
import java.util.List;

/** Asks an experiment for its verdict and adds what holds for all of them. */
public final class Judge {
    /** Where there are doubts, a verdict must stand with ranges that are wider by this factor. */
    private static final double ALLOWANCE = 1.1;

    private Judge() {}

    /**
     * The verdict on findings from a machine, or why there is none; what there is to doubt is part of the reason, and
     * the ranges of the findings are widened for it.
     */
    public static Verdict judge(Experiment experiment, Findings found, MachineSheet machine) {
        found.putLastLevelCache(machine.caches().stream()
                .mapToLong(MachineSheet.Cache::sizeBytes)
                .max()
                .orElse(0));
        return judge(experiment, found, machine.usableCpus(), Doubts.of(experiment.card(), machine, found.threads()));
    }

    /**
     * The verdict on findings from a machine that nothing else is known of.
     *
     * @param cpus the processors that could be used
     */
    public static Verdict judge(Experiment experiment, Findings found, int cpus) {
        return judge(experiment, found, cpus, List.of());
    }

    private static Verdict judge(Experiment experiment, Findings found, int cpus, List<String> ofTheMachine) {
        if (found.isEmpty()) {
            String why = found.missing().values().stream()
                    .distinct()
                    .reduce((a, b) -> a + "; " + b)
                    .orElse("it was not run");
            return Verdict.cannotTell("No case could be run: " + why + ".");
        }
        List<String> doubts = new ArrayList<>(ofTheMachine);
        doubts.addAll(found.warnings());
        int wanted = experiment.card().cpus();
        Verdict verdict;
        found.takeUsedDisturbed();
        try {
            verdict = experiment.judge(found.allow(doubts.isEmpty() ? 1 : ALLOWANCE));
        } catch (Findings.Missing missing) {
            return Verdict.cannotTell(String.valueOf(missing.getMessage()));
        }
        if (verdict.kind() == Verdict.Kind.MEASURED) {
            return verdict;
        }
        if (cpus < wanted) {
            return Verdict.cannotTell("The claim is about " + wanted + " processors, and here are " + cpus
                    + ". As far as it goes: " + verdict.reason());
        }
        if (found.takeUsedDisturbed()) {
            return verdict.disturbed();
        }
        return doubts.isEmpty()
                ? verdict
                : new Verdict(
                        verdict.kind(),
                        verdict.reason() + " (Ranges are a tenth wider for these doubts: " + String.join("; ", doubts)
                                + ".)");
    }
}
