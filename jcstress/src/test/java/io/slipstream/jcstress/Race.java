package io.slipstream.jcstress;

import java.util.List;
import java.util.stream.Collectors;
import org.openjdk.jcstress.Options;
import org.openjdk.jcstress.infra.TestInfo;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.runners.ForkedTestConfig;
import org.openjdk.jcstress.infra.runners.Runner;
import org.openjdk.jcstress.infra.runners.SpinLoopStyle;
import org.openjdk.jcstress.infra.runners.TestConfig;
import org.openjdk.jcstress.infra.runners.TestList;
import org.openjdk.jcstress.os.AffinityMode;
import org.openjdk.jcstress.os.NodeType;
import org.openjdk.jcstress.os.SchedulingClass;
import org.openjdk.jcstress.vm.CompileMode;

/**
 * One jcstress test in this JVM, driven by the runner that jcstress generated for it. jcstress itself would start a JVM
 * for each test, which takes longer than the test.
 */
final class Race {
    /* Before its classes are loaded and compiled, jcstress overestimates their memory and runs hardly at all. */
    private static final int FEWEST_SAMPLES = 2_000;
    private static final int MOST_ATTEMPTS = 5;

    private final TestInfo test;

    Race(String name) {
        test = TestList.getInfo(name);
    }

    /** Runs for {@code millis}, and again while that gave too few samples. */
    TestResult run(int millis) throws Exception {
        return run(millis, SpinLoopStyle.THREAD_YIELD);
    }

    /**
     * The same in another rhythm.
     *
     * @param spinning how the threads wait for each other between two samples: those that yield let each other run
     *                 where there are more of them than processors, those that spin meet more closely where there are
     *                 not
     */
    TestResult run(int millis, SpinLoopStyle spinning) throws Exception {
        TestResult result = runOnce(millis, spinning);
        for (int attempt = 2;
                attempt <= MOST_ATTEMPTS && result.getTotalCount() < FEWEST_SAMPLES && result.grading().isPassed;
                attempt++) {
            result = runOnce(millis, spinning);
        }
        return result;
    }

    private TestResult runOnce(int millis, SpinLoopStyle spinning) throws Exception {
        // Short strides, as making their states takes most of the time.
        Options options = new Options(new String[] {
            "-time",
            String.valueOf(millis),
            "-iters",
            "1",
            "-hs",
            "256",
            "-strideSize",
            "64",
            "-strideCount",
            "8",
            "-spinStyle",
            spinning.name()
        });
        options.parse();
        TestConfig config = new TestConfig(
                options,
                test,
                0,
                List.of(),
                CompileMode.UNIFIED,
                new SchedulingClass(AffinityMode.NONE, test.threads(), NodeType.PACKAGE));
        Runner<?> runner = (Runner<?>) Class.forName(test.generatedRunner())
                .getConstructor(ForkedTestConfig.class)
                .newInstance(new ForkedTestConfig(config));
        TestResult result = runner.run();
        result.setConfig(config);
        return result;
    }

    /** What was observed, how often, and what of it is forbidden. */
    static String description(TestResult result) {
        String observed = result.getStateKeys().stream()
                .sorted()
                .map(state -> state + ": " + result.getCount(state))
                .collect(Collectors.joining("; "));
        return "%s; observed %s; %s %s"
                .formatted(result.status(), observed, result.grading().failureMessages, result.getMessages());
    }
}
