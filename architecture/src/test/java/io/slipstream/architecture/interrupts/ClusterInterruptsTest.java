package io.slipstream.architecture.interrupts;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.testkit.Await;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** As {@link InterruptsTest}, of the cluster: only a JVM with flags of its own runs Aeron. */
@Tag("aeron")
@Timeout(600)
class ClusterInterruptsTest {
    private static final PublicApi API =
            new PublicApi(Set.of("core", "data", "journal", "ipc", "log", "service", "cluster"));
    private static final InterruptProbes PROBES = new InterruptProbes();

    static {
        ClusterProbes.addTo(PROBES);
    }

    @TempDir
    static Path folder;

    @AfterAll
    static void endWhatCallsShared() throws Exception {
        PROBES.endShared();
    }

    static List<Class<?>> types() {
        return API.types().stream()
                .filter(type -> type.getName().startsWith("io.slipstream.cluster."))
                .toList();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("types")
    void anInterruptedThreadDoesWhatAnotherDoes(Class<?> type) {
        assertThat(new InterruptedCalls(PROBES, numbers -> new Values(API, PROBES, numbers, folder), Await.PATIENCE)
                        .faultsOf(type))
                .isEmpty();
    }
}
