package io.slipstream.lab.run;

import com.google.gson.Gson;
import io.slipstream.lab.Case;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Form;
import io.slipstream.lab.Plan;
import io.slipstream.lab.experiment.Catalog;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Runs the tiny form of every benchmark of JMH in one JVM that has JMH's flags: {@code TinyBenchmarks DIRECTORY}. */
final class TinyBenchmarks {
    private static final Gson GSON = new Gson();
    private static final Map<String, List<Event>> RESULTS = new ConcurrentHashMap<>();

    private TinyBenchmarks() {}

    /** The rounds of a benchmark; the first call runs them all. */
    static synchronized List<Event> events(Experiment experiment, Case planned) throws Exception {
        if (RESULTS.isEmpty()) {
            runAll();
        }
        String name = name(experiment, planned);
        List<Event> events = RESULTS.get(name);
        if (events == null) {
            throw new AssertionError(name + " was not run; there are " + RESULTS.keySet());
        }
        return events;
    }

    private static void runAll() throws Exception {
        Path directory = Files.createTempDirectory("benchmarks");
        Path said = Files.createTempFile("benchmarks", ".txt");
        Path tests = Path.of(TinyBenchmarks.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        List<String> command =
                new ArrayList<>(List.of(Jvm.current().home().resolve("bin/java").toString()));
        command.addAll(List.of(
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--sun-misc-unsafe-memory-access=allow",
                "-Djmh.ignoreLock=true",
                "-Djava.io.tmpdir=" + directory,
                "-cp",
                ClassPath.ofTheLab()
                        + File.pathSeparator
                        + tests
                        + File.pathSeparator
                        + tests.resolveSibling("test-classes"),
                TinyBenchmarks.class.getName(),
                directory.toString()));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            if (process.waitFor() != 0) {
                throw new AssertionError(Files.readString(said));
            }
        } finally {
            process.destroyForcibly();
        }
        for (String line : Files.readAllLines(said)) {
            int at = line.indexOf(Event.PREFIX);
            if (at > 0) {
                Event event = GSON.fromJson(line.substring(at + Event.PREFIX.length()), Event.class);
                List<Event> events = RESULTS.computeIfAbsent(line.substring(0, at), name -> new ArrayList<>());
                if (event.kind().equals("round")) {
                    events.add(event);
                }
            }
        }
        Files.delete(said);
    }

    private static String name(Experiment experiment, Case planned) {
        return experiment.card().id() + ": " + planned.name() + " ";
    }

    public static void main(String[] args) throws IOException {
        Path directory = Path.of(args[0]);
        for (Experiment experiment : Catalog.all()) {
            Plan plan = new Plan(Form.TINY, 2, directory, directory);
            experiment.plan(plan);
            for (Case planned : plan.cases()) {
                if (planned.benchmark() != null
                        && planned.fits(Runtime.version().feature())) {
                    BenchmarkRunner.run(
                            planned,
                            Form.TINY,
                            directory,
                            event -> System.out.println(name(experiment, planned) + Event.PREFIX + GSON.toJson(event)));
                }
            }
        }
        // JMH removes its files when a JVM ends of itself.
        System.exit(0);
    }
}
