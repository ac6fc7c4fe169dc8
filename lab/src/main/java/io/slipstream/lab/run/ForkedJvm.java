package io.slipstream.lab.run;

import com.google.gson.Gson;
import com.google.gson.JsonSyntaxException;
import io.slipstream.lab.Case;
import io.slipstream.lab.CppProgram;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Plan;
import io.slipstream.lab.run.quiet.Calm;
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
    /** Of a JVM that only watches another process: a benchmark gets its flags from JMH, in a JVM that JMH forks. */
    static final List<String> HOST_FLAGS = List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private final Gson gson = new Gson();
    private final Jvm jvm;
    private final Plan plan;

    /** A runner on a JVM, for a case of a plan. */
    ForkedJvm(Jvm jvm, Plan plan) {
        this.jvm = jvm;
        this.plan = plan;
    }

    CaseResult run(Experiment experiment, Case chosen, Children children) throws InterruptedException {
        List<Event> events = new ArrayList<>();
        List<String> last = new ArrayList<>();
        try {
            Process process = new ProcessBuilder(command(experiment, chosen))
                    .redirectErrorStream(true)
                    .start();
            children.add(process);
            Watchdog watchdog = new Watchdog(process, plan.form().patienceSeconds());
            try (watchdog;
                    BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
                for (String line = out.readLine(); line != null; line = out.readLine()) {
                    watchdog.heard();
                    if (line.startsWith(Event.PREFIX)) {
                        events.add(gson.fromJson(line.substring(Event.PREFIX.length()), Event.class));
                    } else {
                        last.add(line);
                    }
                }
            } finally {
                process.destroy();
                if (!process.waitFor(5, TimeUnit.SECONDS)) {
                    Children.kill(process);
                    process.waitFor();
                }
                children.remove(process);
            }
            return watchdog.hasBitten()
                    ? missing(chosen, "no round ended within " + plan.form().patienceSeconds() + " s")
                    : read(chosen, events, process.exitValue(), last);
        } catch (IOException | JsonSyntaxException e) {
            return missing(chosen, jvm.name() + " could not be run: " + e.getMessage());
        }
    }

    private CaseResult read(Case chosen, List<Event> events, int exit, List<String> output) {
        Map<String, List<Double>> samples = new LinkedHashMap<>();
        Event last = null;
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
            last = event;
        }
        Calm calm = last == null ? null : last.calm();
        if (last == null || calm == null) {
            return missing(
                    chosen,
                    jvm.name() + " ended with " + exit + " before the last round"
                            + (output.isEmpty() ? "" : ": " + output.get(0)));
        }
        CaseResult result = new CaseResult(
                chosen.series(),
                chosen.x(),
                measuredWith(chosen),
                stated(chosen),
                samples,
                calm,
                chosen.benchmark() == null ? 0 : plan.form().roundMillis(),
                last.threads(),
                0,
                last.warning(),
                null);
        Map<String, Double> counts = last.values() == null ? Map.of() : last.values();
        for (Map.Entry<String, Double> count : counts.entrySet()) {
            result = result.with(Findings.COUNTED + count.getKey(), count.getValue());
        }
        return result;
    }

    private CaseResult missing(Case chosen, String reason) {
        return CaseResult.missing(chosen.series(), chosen.x(), measuredWith(chosen), stated(chosen), reason);
    }

    /** The JVM, or the compiler of a twin. */
    private String measuredWith(Case chosen) {
        return chosen.twin() == null ? jvm.name() : CppProgram.COMPILER;
    }

    private static List<String> stated(Case chosen) {
        return chosen.twin() == null ? flags(chosen) : CppProgram.FLAGS;
    }

    /** The flags of every fork, as far as the case sets none of its own, and those of the case. */
    static List<String> flags(Case chosen) {
        List<String> own = chosen.jvmFlags();
        List<String> flags = new ArrayList<>();
        for (String flag : Jvm.FLAGS) {
            boolean replaced = flag.endsWith("GC")
                    ? own.stream().anyMatch(f -> f.matches("-XX:\\+Use\\w+GC"))
                    : flag.startsWith("-Xm") && own.stream().anyMatch(f -> f.startsWith(flag.substring(0, 4)));
            if (!replaced) {
                flags.add(flag);
            }
        }
        flags.addAll(own);
        return flags;
    }

    private List<String> command(Experiment experiment, Case chosen) {
        List<String> command = new ArrayList<>();
        command.add(jvm.home().resolve("bin/java").toString());
        if (chosen.benchmark() != null) {
            command.addAll(BenchmarkRunner.hostFlags(chosen, plan.form(), jvm.feature(), plan.directory()));
        } else {
            command.addAll(chosen.twin() == null ? flags(chosen) : HOST_FLAGS);
        }
        command.addAll(List.of(
                "-cp",
                ClassPath.ofTheLab(),
                Fork.class.getName(),
                plan.form().name(),
                plan.directory().toString()));
        Case.Twin twin = chosen.twin();
        if (twin != null) {
            command.addAll(List.of(Fork.TWIN, twin.source()));
            command.addAll(twin.arguments());
            return command;
        }
        command.addAll(List.of(experiment.card().id(), chosen.name(), String.valueOf(plan.cpus())));
        Path memory = plan.memory();
        if (memory != null) {
            command.add(memory.toString());
        }
        return command;
    }
}
