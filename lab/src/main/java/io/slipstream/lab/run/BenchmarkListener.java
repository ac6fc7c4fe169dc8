package io.slipstream.lab.run;

import io.slipstream.lab.Form;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.IterationType;
import org.openjdk.jmh.runner.format.OutputFormat;

/** Hears of each round from JMH as it ends, and passes it on. JMH calls it from one thread at a time. */
final class BenchmarkListener implements OutputFormat {
    private static final String ALLOCATED = "gc.alloc.rate.norm";
    private static final String PROFILED = "gc.";

    private final Form form;
    private final Path scratch;
    private final Consumer<Event> out;
    private final StringBuilder said = new StringBuilder();
    private @Nullable Conditions conditions;

    BenchmarkListener(Form form, Path scratch, Consumer<Event> out) {
        this.form = form;
        this.scratch = scratch;
        this.out = out;
    }

    @Override
    public void iteration(BenchmarkParams benchmark, IterationParams params, int iteration) {
        try {
            Conditions watched = conditions;
            if (watched == null) {
                // The only child, so far, is the JVM that runs the benchmark.
                ProcessHandle child =
                        ProcessHandle.current().children().findFirst().orElseGet(ProcessHandle::current);
                watched = Conditions.prepare(form, scratch, child);
                conditions = watched;
            }
            if (params.getType() == IterationType.MEASUREMENT && !watched.hasBegun()) {
                watched.begin();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void iterationResult(
            BenchmarkParams benchmark, IterationParams params, int iteration, IterationResult result) {
        boolean warmUp = params.getType() == IterationType.WARMUP;
        out.accept(Event.round(warmUp, values(result)));
        Conditions watched = conditions;
        if (!warmUp && iteration == params.getCount() && watched != null) {
            try {
                out.accept(watched.end(form.rounds(), benchmark.getThreads(), null));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static Map<String, Double> values(IterationResult result) {
        Map<String, Double> values = new LinkedHashMap<>();
        values.put("ns/op", result.getPrimaryResult().getScore());
        result.getSecondaryResults().forEach((label, value) -> {
            if (label.equals(ALLOCATED)) {
                values.put("bytes/op", value.getScore());
            } else if (!label.startsWith(PROFILED)) {
                values.put(label, value.getScore());
            }
        });
        return values;
    }

    /** What JMH said of a failure: the exception that ended the benchmark. */
    String failure() {
        return said.toString()
                .lines()
                .filter(line -> line.contains("Exception") || line.contains("Error") || line.contains("WrongResult"))
                .findFirst()
                .orElse("JMH could not run the benchmark: " + said.toString().strip());
    }

    /** Ends what {@link #iteration} began, if the rounds did not get there. */
    @Override
    public void close() {
        if (conditions != null) {
            conditions.close();
        }
    }

    @Override
    public void print(String text) {
        said.append(text);
    }

    @Override
    public void println(String text) {
        said.append(text).append('\n');
    }

    @Override
    public void write(int character) {
        said.append((char) character);
    }

    @Override
    public void write(byte[] bytes) {
        said.append(new String(bytes, java.nio.charset.StandardCharsets.UTF_8));
    }

    @Override
    public void startBenchmark(BenchmarkParams benchmark) {}

    @Override
    public void endBenchmark(@Nullable BenchmarkResult result) {}

    @Override
    public void startRun() {}

    @Override
    public void endRun(Collection<RunResult> results) {}

    @Override
    public void verbosePrintln(String text) {}

    @Override
    public void flush() {}
}
