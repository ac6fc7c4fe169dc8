package io.slipstream.lab.run;

import io.slipstream.lab.Case;
import io.slipstream.lab.Form;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Runs a case that is a benchmark of JMH: this JVM is the host, the benchmark runs in one that JMH forks, except in the
 * tiny form.
 */
final class BenchmarkRunner {
    /** JMH 1.37 asks {@code Unsafe} where fields lie; from this JDK on, a JVM has to be told that it may. */
    private static final int UNSAFE_IS_ASKED_FOR = 23;

    private BenchmarkRunner() {}

    /**
     * Flags of the host: a small heap unless it runs the benchmark itself, no files of JMH's but under {@code scratch}.
     */
    static List<String> hostFlags(Case chosen, Form form, int feature, Path scratch) {
        List<String> flags = new ArrayList<>(isForked(form) ? ForkedJvm.HOST_FLAGS : flags(chosen, feature));
        flags.addAll(List.of("-Djmh.ignoreLock=true", "-Djava.io.tmpdir=" + scratch));
        return flags;
    }

    /**
     * Runs it.
     *
     * @param scratch where files may be for a while
     */
    static void run(Case chosen, Form form, Path scratch, Consumer<Event> out) {
        Case.Benchmark benchmark = chosen.benchmark();
        if (benchmark == null) {
            throw new IllegalArgumentException("'" + chosen.name() + "' is not a benchmark of JMH");
        }
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("^" + Pattern.quote(benchmark.name()) + "$")
                .mode(Mode.AverageTime)
                .timeUnit(TimeUnit.NANOSECONDS)
                .forks(isForked(form) ? 1 : 0)
                .jvmArgs(flags(chosen, Runtime.version().feature()).toArray(String[]::new))
                .warmupIterations(warmUpRounds(chosen, form))
                .warmupTime(TimeValue.milliseconds(form.roundMillis()))
                .measurementIterations(form.rounds())
                .measurementTime(TimeValue.milliseconds(form.roundMillis()))
                .shouldFailOnError(true)
                .addProfiler(GCProfiler.class);
        chosen.parameters().forEach(options::param);
        BenchmarkListener listener = new BenchmarkListener(form, scratch, out);
        try {
            new Runner(options.build(), listener).run();
        } catch (RunnerException e) {
            throw new IllegalStateException(listener.failure(), e);
        } finally {
            listener.close();
        }
    }

    /** What measures nothing need not wait for one more JVM. */
    private static boolean isForked(Form form) {
        return form != Form.TINY;
    }

    /** As many as the warm-up of other cases takes. */
    private static int warmUpRounds(Case chosen, Form form) {
        return Math.max(form.warmUpRounds(), (int) (chosen.warmUpMillis(form) / form.roundMillis()) + 1);
    }

    private static List<String> flags(Case chosen, int feature) {
        List<String> flags = new ArrayList<>(ForkedJvm.flags(chosen));
        if (feature >= UNSAFE_IS_ASKED_FOR) {
            flags.add("--sun-misc-unsafe-memory-access=allow");
        }
        return flags;
    }
}
