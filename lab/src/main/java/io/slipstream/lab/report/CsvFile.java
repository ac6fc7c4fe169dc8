package io.slipstream.lab.report;

import io.slipstream.lab.run.CaseResult;
import io.slipstream.lab.run.ExperimentResult;
import io.slipstream.lab.run.RunResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The samples as a table: one line for each round, for spreadsheets and notebooks. The {@code jvm} is what the case ran
 * on, for a twin its compiler; the {@code chosen jvm} tells lines apart where several are compared.
 */
public final class CsvFile {
    private CsvFile() {}

    public static void write(RunResult run, Path file) throws IOException {
        Files.writeString(file, toCsv(run));
    }

    static String toCsv(RunResult run) {
        StringBuilder out = new StringBuilder("experiment,jvm,series,x,metric,round,value,chosen jvm\n");
        for (ExperimentResult experiment : run.experiments()) {
            for (CaseResult result : experiment.cases()) {
                for (CaseResult.Measured measured : result.measured()) {
                    for (int i = 0; i < measured.values().size(); i++) {
                        out.append(String.join(
                                        ",",
                                        List.of(
                                                experiment.id(),
                                                quoted(result.jvm()),
                                                quoted(result.series()),
                                                quoted(measured.x()),
                                                quoted(measured.metric()),
                                                String.valueOf(i + 1),
                                                String.valueOf(measured.values().get(i)),
                                                quoted(experiment.jvm()))))
                                .append('\n');
                    }
                }
            }
        }
        return out.toString();
    }

    /** Quoted as RFC 4180 says, when it must be. */
    private static String quoted(String text) {
        return text.matches("[^\",\n\r]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
    }
}
