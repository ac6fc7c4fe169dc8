package io.slipstream.lab.run;

import io.slipstream.lab.Case;
import io.slipstream.lab.CppProgram;
import io.slipstream.lab.Form;
import io.slipstream.lab.Unavailable;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs the twins in C++. A twin is called with the number of warm-up rounds, the number of rounds and its own
 * arguments; for each round that counts it prints {@code metric<TAB>value} lines, and ends with 0 when its own checks
 * passed.
 */
final class NativeTwin {
    private final Path directory;

    /** A runner that keeps the programs in a directory. */
    NativeTwin(Path directory) {
        this.directory = directory;
    }

    CaseResult run(Case chosen, Case.Twin twin, Form form, Children children) throws InterruptedException {
        try {
            List<String> command = new ArrayList<>(List.of(
                    CppProgram.compile(twin.source(), directory).toString(),
                    String.valueOf(Math.max(1, form.warmUpRounds())),
                    String.valueOf(form.rounds())));
            command.addAll(twin.arguments());
            Map<String, List<Double>> samples = new LinkedHashMap<>();
            for (String line : output(command, children)) {
                int tab = line.indexOf('\t');
                if (tab > 0) {
                    samples.computeIfAbsent(line.substring(0, tab), m -> new ArrayList<>())
                            .add(Double.valueOf(line.substring(tab + 1)));
                }
            }
            return new CaseResult(
                    chosen.series(),
                    chosen.x(),
                    CppProgram.COMPILER,
                    CppProgram.FLAGS,
                    samples,
                    Calm.UNKNOWN,
                    0,
                    0,
                    null);
        } catch (Unavailable | IOException | IllegalStateException e) {
            return CaseResult.missing(
                    chosen.series(), chosen.x(), CppProgram.COMPILER, List.of(), String.valueOf(e.getMessage()));
        }
    }

    private static List<String> output(List<String> command, Children children)
            throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        children.add(process);
        List<String> lines = new ArrayList<>();
        int exit;
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                lines.add(line);
            }
            exit = process.waitFor();
        } finally {
            process.destroyForcibly();
            children.remove(process);
        }
        if (exit != 0) {
            throw new IllegalStateException(command.get(0) + " ended with " + exit + ": " + String.join(" ", lines));
        }
        return lines;
    }
}
