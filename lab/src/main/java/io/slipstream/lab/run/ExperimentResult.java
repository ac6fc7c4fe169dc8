package io.slipstream.lab.run;

import io.slipstream.lab.CppProgram;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Sample;
import io.slipstream.lab.Size;
import java.util.List;

/**
 * What an experiment gave on one chosen JVM.
 *
 * @param sizes what it worked with; a file of before they were kept has none
 */
public record ExperimentResult(String id, String jvm, double seconds, List<Size> sizes, List<CaseResult> cases) {
    public ExperimentResult {
        sizes = sizes == null ? List.of() : List.copyOf(sizes);
    }

    /** One that states no sizes. */
    public ExperimentResult(String id, String jvm, double seconds, List<CaseResult> cases) {
        this(id, jvm, seconds, List.of(), cases);
    }

    public Findings findings() {
        Findings found = new Findings();
        for (CaseResult result : cases) {
            if (result.calm().isDisturbed()) {
                found.putDisturbed(result.series(), result.x());
            }
            String warning = result.warning();
            if (warning != null) {
                found.putWarning("in " + result.series() + " " + warning);
            }
            if (!result.jvm().equals(CppProgram.COMPILER)) {
                found.putJvm(result.series(), result.x(), result.jvm());
            }
            String missing = result.missing();
            if (missing != null) {
                found.putMissing(result.series(), result.x(), missing);
            } else {
                found.putThreads(result.threads());
                result.samples()
                        .forEach(
                                (metric, values) -> found.put(result.series(), result.x(), metric, new Sample(values)));
            }
        }
        return found;
    }
}
