package io.slipstream.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.service.pressure.PressureGauge;
import io.slipstream.service.snapshot.SnapshotReport;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.AccessDeniedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoggedEventsTest {
    private final List<String> lines = new ArrayList<>();
    private final LoggedEvents logged = new LoggedEvents((System.Logger) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {System.Logger.class}, (_, _, arguments) -> {
                boolean hasTrace = arguments.length == 3 && arguments[2] instanceof Throwable;
                lines.add((hasTrace ? "with its trace: " : "") + arguments[1]);
                return null;
            }));

    /** Each snapshot that is due fails in a folder whose permissions were taken away. */
    @Test
    void aSnapshotThatFailsEachTimeHasOneTraceAndFewerAndFewerLines() {
        for (int i = 1; i <= 1000; i++) {
            logged.onSnapshotFailed(denied(i));
        }
        assertThat(lines).hasSize(10);
        assertThat(lines.getFirst()).isEqualTo("with its trace: no snapshot: snapshot-1: denied");
        assertThat(lines.subList(1, 10))
                .allSatisfy(line -> assertThat(line)
                        .startsWith("no snapshot: snapshot-")
                        .endsWith(" snapshots in a row have failed in this way)"));
    }

    @Test
    void anotherFailureAndOneAfterASuccessHaveTheirTraces() {
        logged.onSnapshotFailed(denied(1));
        logged.onSnapshotFailed(new IllegalStateException("a bug in save"));
        logged.onSnapshotFailed(denied(2));
        logged.onSnapshot(new SnapshotReport(3, 100, Duration.ZERO, Duration.ZERO));
        logged.onSnapshotFailed(denied(4));
        assertThat(lines.stream().filter(line -> line.startsWith("with its trace")))
                .hasSize(4);
    }

    /** Pressure that comes and goes is told once a minute, and its end with it. */
    @Test
    void theEndOfPressureIsToldIfItsBeginningWas() {
        logged.onPressure(PressureGauge.Level.ELEVATED, 700, 1000);
        logged.onPressure(PressureGauge.Level.SHEDDING, 950, 1000);
        logged.onPressure(PressureGauge.Level.NORMAL, 10, 1000);
        logged.onPressure(PressureGauge.Level.ELEVATED, 700, 1000);
        logged.onPressure(PressureGauge.Level.NORMAL, 10, 1000);
        assertThat(lines).hasSize(2);
        assertThat(lines.get(0)).startsWith("pressure is {0}");
        assertThat(lines.get(1)).startsWith("pressure is NORMAL again");
    }

    private static IOException denied(int number) {
        return new IOException("snapshot-" + number + ": denied", new AccessDeniedException("snapshot-" + number));
    }
}
