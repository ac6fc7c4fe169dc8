package io.slipstream.lab.report;

import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Judge;
import io.slipstream.lab.Verdict;
import io.slipstream.lab.experiment.Catalog;
import io.slipstream.lab.run.ExperimentResult;
import io.slipstream.lab.run.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A result with its experiment, its findings (with ranges as wide as the verdict takes them) and its verdict. */
record Judged(Experiment experiment, ExperimentResult result, Findings findings, Verdict verdict) {

    /** Those of a run, in its order. Results of experiments that this version does not know are left out. */
    static List<Judged> all(RunResult run) {
        List<Judged> judged = new ArrayList<>();
        for (ExperimentResult result : run.experiments()) {
            Catalog.all().stream()
                    .filter(e -> e.card().id().equals(result.id()))
                    .findFirst()
                    .ifPresent(experiment -> {
                        Findings findings = result.findings();
                        judged.add(new Judged(
                                experiment, result, findings, Judge.judge(experiment, findings, run.machine())));
                    });
        }
        return judged;
    }

    String anchor() {
        return result.id() + "-" + Integer.toHexString(result.jvm().hashCode());
    }

    /** The class of the page's style that colours the verdict. */
    String style() {
        return verdict.kind().name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
