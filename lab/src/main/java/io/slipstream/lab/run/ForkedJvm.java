package io.slipstream.lab.run;

import com.google.gson.Gson;
import com.google.gson.JsonSyntaxException;
import io.slipstream.lab.Case;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Form;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs one case in a JVM of its own. */
final class ForkedJvm {
    /** Fixed heap and one simple collector, so that neither is part of a figure unless an experiment asks for it. */
    private static final String COLLECTOR = "-XX:+UseSerialGC";

    private static final List<String> FLAGS = List.of("-Xms1g", "-Xmx1g", COLLECTOR, "-XX:-UsePerfData");

    private final Gson gson = new Gson();
    private final Jvm jvm;
    private final int cpus;
    private final Path directory;

    ForkedJvm(Jvm jvm, int cpus, Path directory) {
        this.jvm = jvm;
        this.cpus = cpus;
        this.directory = directory;
    }

    CaseResult run(Experiment experiment, Case chosen, Form form, Children children) throws InterruptedException {
        String skip = chosen.skipReason();
        if (skip != null) {
            return missing(chosen, skip);
        }
        List<Event> events = new ArrayList<>();
        List<String> last = new ArrayList<>();
        try {
            Process process = new ProcessBuilder(command(experiment, chosen, form))
                    .redirectErrorStream(true)
                    .start();
            children.add(process);
            try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
                for (String line = out.readLine(); line != null; line = out.readLine()) {
                    if (line.startsWith(Event.PREFIX)) {
                        events.add(gson.fromJson(line.substring(Event.PREFIX.length()), Event.class));
                    } else {
                        last.add(line);
                    }
                }
            } finally {
                process.destroy();
                if (!process.waitFor(5, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
                children.remove(process);
            }
            return read(chosen, events, process.exitValue(), last);
        } catch (IOException | JsonSyntaxException e) {
            return missing(chosen, jvm.name() + " could not be run: " + e.getMessage());
        }
    }

    private CaseResult read(Case chosen, List<Event> events, int exit, List<String> output) {
        Map<String, List<Double>> samples = new LinkedHashMap<>();
        Calm calm = null;
        for (Event event : events) {
            String message = event.message();
            if (message != null) {
                return missing(chosen, message);
            }
            Map<String, Double> values = event.values();
            if (event.kind().equals("round") && values != null) {
                values.forEach((metric, value) ->
                        samples.computeIfAbsent(metric, m -> new ArrayList<>()).add(value));
            }
            if (event.calm() != null) {
                calm = event.calm();
            }
        }
        if (calm == null) {
            return missing(
                    chosen,
                    jvm.name() + " ended with " + exit + " before the last round"
                            + (output.isEmpty() ? "" : ": " + output.get(0)));
        }
        return new CaseResult(chosen.series(), chosen.x(), jvm.name(), chosen.jvmFlags(), samples, calm, 0, null);
    }

    private CaseResult missing(Case chosen, String reason) {
        return CaseResult.missing(chosen.series(), chosen.x(), jvm.name(), chosen.jvmFlags(), reason);
    }

    private List<String> command(Experiment experiment, Case chosen, Form form) {
        List<String> command = new ArrayList<>();
        command.add(jvm.home().resolve("bin/java").toString());
        boolean ownCollector = chosen.jvmFlags().stream().anyMatch(f -> f.matches("-XX:\\+Use\\w+GC"));
        FLAGS.stream().filter(f -> !(ownCollector && f.equals(COLLECTOR))).forEach(command::add);
        command.addAll(chosen.jvmFlags());
        command.addAll(List.of(
                "-cp",
                ClassPath.ofTheLab(),
                Fork.class.getName(),
                experiment.card().id(),
                chosen.name(),
                form.name(),
                String.valueOf(cpus),
                directory.toString()));
        return command;
    }
}
