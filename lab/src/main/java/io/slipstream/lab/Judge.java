package io.slipstream.lab;

/** Asks an experiment for its verdict and adds what holds for all of them. */
public final class Judge {
    private Judge() {}

    /**
     * The verdict, or why there is none.
     *
     * @param cpus processors of the machine the findings come from
     */
    public static Verdict judge(Experiment experiment, Findings found, int cpus) {
        if (found.isEmpty()) {
            String why = found.missing().values().stream()
                    .distinct()
                    .reduce((a, b) -> a + "; " + b)
                    .orElse("it was not run");
            return Verdict.cannotTell("No case could be run: " + why + ".");
        }
        int wanted = experiment.card().cpus();
        Verdict verdict;
        try {
            verdict = experiment.judge(found);
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
        if (found.isDisturbed()) {
            return Verdict.cannotTell(
                    "Others used the machine meanwhile. As far as it goes: " + verdict.reason());
        }
        return verdict;
    }
}
