package io.slipstream.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An executor drops a periodic task that has thrown once, and tells nobody. What looks after a service must go on, so
 * it is repeated by {@code Host.watch}.
 */
class RepeatedTasksTest {
    private static final Pattern PERIODIC = Pattern.compile("\\.schedule(?:AtFixedRate|WithFixedDelay)\\(");

    /** It looks for lives of the simulator that hang, and a run ends. */
    private static final Set<String> OF_A_RUN = Set.of("Watchdog.java");

    @ParameterizedTest(name = "{0}")
    @MethodSource("modules")
    void whatIsRepeatedGoesOnAfterAFailure(String module) {
        List<String> found = new ArrayList<>();
        for (Path file : SourceTree.javaFiles(module + "/src/main")) {
            if (isPeriodic(SourceTree.read(file)) && !OF_A_RUN.contains(String.valueOf(file.getFileName()))) {
                found.add(SourceTree.name(file));
            }
        }
        assertThat(found)
                .as("tasks that end with their first failure; use Host.watch")
                .isEmpty();
    }

    @Test
    void theCheckFindsPeriodicTasks() {
        assertThat(isPeriodic("timer.scheduleAtFixedRate(this::look, 1, 1, SECONDS);"))
                .isTrue();
        assertThat(isPeriodic("timer.schedule(this::look, 1, SECONDS);")).isFalse();
    }

    static Stream<String> modules() {
        return SourceTree.modules().stream();
    }

    private static boolean isPeriodic(String text) {
        return PERIODIC.matcher(text).find();
    }
}
