package io.slipstream.jcstress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.runners.SpinLoopStyle;
import org.openjdk.jcstress.infra.runners.TestList;

/**
 * Runs each proof and each broken twin for a moment, all in this JVM, as it usually compiles. That shows that the
 * proofs run and bite. {@code jcstress/run} takes each of them through every mode of compilation in JVMs of their own.
 *
 * <p>The build takes one in {@value #SAMPLE}; {@code -Dslipstream.proofs=all}, as in {@code etc/prove memory}, takes
 * all.
 */
class ShortRunTest {
    private static final int SAMPLE = 4;
    private static final boolean ALL = "all".equals(System.getProperty("slipstream.proofs"));
    private static final int MILLIS = 50;
    private static final int MOST_MILLIS_FOR_A_TWIN = 25_600;

    @BeforeAll
    static void theTestsAreListed() {
        assertThat(proofs()).as("proofs in META-INF/TestList").isNotEmpty();
        assertThat(brokenTwins()).as("broken twins in META-INF/TestList").isNotEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("proofs")
    void theProofHolds(String proof) throws Exception {
        TestResult result = new Race(proof).run(MILLIS);
        assertThat(result.grading().isPassed)
                .as("%s: %s", proof, Race.description(result))
                .isTrue();
    }

    /** A race that exists need not show in every short run, so a twin gets several, each twice as long as the last. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("brokenTwins")
    void theBrokenTwinIsCaught(String twin) throws Exception {
        Race race = new Race(twin);
        TestResult result = race.run(MILLIS);
        for (int millis = MILLIS; result.grading().isPassed && millis <= MOST_MILLIS_FOR_A_TWIN; millis *= 2) {
            result = race.run(millis, SpinLoopStyle.THREAD_SPIN_WAIT);
            if (result.grading().isPassed) {
                result = race.run(2 * millis);
            }
        }
        assertThat(result.grading().isPassed)
                .as("%s was not caught: %s", twin, Race.description(result))
                .isFalse();
    }

    static Stream<String> proofs() {
        return sample(tests().filter(name -> !isBroken(name)));
    }

    static Stream<String> brokenTwins() {
        return sample(tests().filter(ShortRunTest::isBroken));
    }

    private static Stream<String> sample(Stream<String> tests) {
        List<String> all = tests.toList();
        return IntStream.range(0, all.size())
                .filter(i -> ALL || i % SAMPLE == 0)
                .mapToObj(all::get);
    }

    /** Without those that need more processors than there are, as jcstress itself does it. */
    private static Stream<String> tests() {
        int processors = Runtime.getRuntime().availableProcessors();
        return TestList.tests().stream()
                .sorted()
                .filter(name -> TestList.getInfo(name).threads() <= Math.max(2, processors));
    }

    private static boolean isBroken(String name) {
        return name.substring(name.lastIndexOf('.') + 1).startsWith("Broken");
    }
}
