package io.slipstream.lab.run;

import io.slipstream.lab.Form;
import io.slipstream.lab.machine.MachineSheet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything a run of the lab found; this is what the JSON file holds.
 *
 * @param schema the version of this format
 * @param startedAt ISO 8601
 * @param cutShort why not all that was asked for is here, otherwise null
 * @param options the options of the command that repeats it, beside the form; a file of before they were kept has none
 */
public record RunResult(
        int schema,
        String startedAt,
        Form form,
        MachineSheet machine,
        List<ExperimentResult> experiments,
        double seconds,
        @Nullable String cutShort,
        List<String> options) {
    public static final int SCHEMA = 2;

    public RunResult {
        options = options == null ? List.of() : List.copyOf(options);
    }

    /** This run, asked for with other options. */
    public RunResult with(List<String> chosen) {
        return new RunResult(schema, startedAt, form, machine, experiments, seconds, cutShort, chosen);
    }

    /** This run, with another description of its machine. */
    public RunResult describedBy(MachineSheet sheet) {
        return new RunResult(schema, startedAt, form, sheet, experiments, seconds, cutShort, options);
    }

    /** What it found on one JVM. */
    public RunResult on(String jvm) {
        MachineSheet alone = machine.withJvms(List.of(jvm));
        List<ExperimentResult> found =
                experiments.stream().filter(e -> e.jvm().equals(jvm)).toList();
        return new RunResult(schema, startedAt, form, alone, found, seconds, cutShort, options);
    }
}
