package io.slipstream.architecture.interrupts;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.architecture.interrupts.Values.Numbers;
import io.slipstream.testkit.Await;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every public method of some modules does its work on an interrupted thread, or stops waiting as it says, and leaves
 * its object as fit as before. The simulator, the lab and the examples are no part of it, which are programs of their
 * own.
 */
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class Interrupts {
    /** What needs no flags. */
    static final Set<String> WITHOUT_FLAGS =
            Set.of("core", "data", "journal", "ipc", "log", "service", "http", "replica");

    @TempDir
    static Path folder;

    private final PublicApi api;
    private final Set<String> asked;
    private final InterruptProbes probes = new InterruptProbes();

    /**
     * Creates the test.
     *
     * @param modules by their floors, whose types may be made as parameters
     * @param asked   those of them whose methods are called
     */
    Interrupts(Set<String> modules, Set<String> asked) {
        this.api = new PublicApi(modules);
        this.asked = asked;
    }

    @AfterAll
    void endWhatCallsShared() throws Exception {
        probes.endShared();
    }

    InterruptProbes probes() {
        return probes;
    }

    Values values(Numbers numbers) {
        return new Values(api, probes, numbers, folder);
    }

    List<Class<?>> types() {
        return api.types().stream()
                .filter(type -> asked.contains(type.getName().split("\\.")[2]))
                .toList();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("types")
    void anInterruptedThreadDoesWhatAnotherDoes(Class<?> type) {
        assertThat(new InterruptedCalls(probes, this::values, Await.PATIENCE).faultsOf(type))
                .isEmpty();
    }
}
