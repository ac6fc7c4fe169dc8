package io.slipstream.lab.run;

import io.slipstream.lab.Case;
import io.slipstream.lab.Form;
import io.slipstream.lab.Pinning;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Compiles and runs the twins in C++. A twin is called with the number of warm-up rounds, the number of rounds and its
 * own arguments; for each round that counts it prints {@code metric<TAB>value} lines, and ends with 0 when its own
 * checks passed.
 */
final class NativeTwin {
    private static final String COMPILER = "g++";

    private final Path directory;

    NativeTwin(Path directory) {
        this.directory = directory;
    }

    CaseResult run(Case chosen, Case.Twin twin, Form form, Children children) throws InterruptedException {
        if (!Pinning.hasProgram(COMPILER)) {
            return missing(chosen, "no C++ compiler (" + COMPILER + ") here");
        }
        try {
            Path program = compile(twin.source());
            List<String> command = new ArrayList<>();
            command.addAll(List.of(
                    program.toString(),
                    String.valueOf(Math.max(1, form.warmUpRounds())),
                    String.valueOf(form.rounds())));
            command.addAll(twin.arguments());
            List<String> lines = output(command, children);
            Map<String, List<Double>> samples = new LinkedHashMap<>();
            for (String line : lines) {
                int tab = line.indexOf('\t');
                if (tab > 0) {
                    samples.computeIfAbsent(line.substring(0, tab), m -> new ArrayList<>())
                            .add(Double.valueOf(line.substring(tab + 1)));
                }
            }
            return new CaseResult(
                    chosen.series(), chosen.x(), COMPILER, List.of("-O3"), samples, Calm.UNKNOWN, 0, null);
        } catch (IOException | IllegalStateException e) {
            return missing(chosen, String.valueOf(e.getMessage()));
        }
    }

    private CaseResult missing(Case chosen, String reason) {
        return CaseResult.missing(chosen.series(), chosen.x(), COMPILER, List.of(), reason);
    }

    private Path compile(String source) throws IOException, InterruptedException {
        Path program = directory.resolve(source.replace(".cpp", ""));
        if (Files.exists(program)) {
            return program;
        }
        Path copy = directory.resolve(source);
        try (InputStream in = NativeTwin.class.getResourceAsStream("/io/slipstream/lab/twin/" + source)) {
            if (in == null) {
                throw new IllegalStateException("the twin " + source + " is not part of this jar");
            }
            Files.copy(in, copy);
        }
        output(
                List.of(
                        COMPILER,
                        "-O3",
                        "-march=native",
                        "-std=c++17",
                        "-pthread",
                        "-o",
                        program.toString(),
                        copy.toString()),
                new Children());
        return program;
    }

    private static List<String> output(List<String> command, Children children)
            throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        children.add(process);
        List<String> lines = new ArrayList<>();
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                lines.add(line);
            }
        } finally {
            children.remove(process);
        }
        int exit = process.waitFor();
        if (exit != 0) {
            throw new IllegalStateException(command.get(0) + " ended with " + exit + ": " + String.join(" ", lines));
        }
        return lines;
    }
}
