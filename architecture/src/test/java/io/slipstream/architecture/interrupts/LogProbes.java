package io.slipstream.architecture.interrupts;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.thread.Duty;
import io.slipstream.core.thread.Worker;
import io.slipstream.log.LogSystem;
import io.slipstream.log.config.LogConfig;
import io.slipstream.log.event.SiteFile;
import io.slipstream.log.tool.LogTool;
import io.slipstream.testkit.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** What a call of {@code log} needs. */
final class LogProbes {
    private LogProbes() {}

    static void addTo(InterruptProbes probes) {
        probes.made(LogConfig.class, values -> LogConfig.file(values.newPath()));
        probes.made(LogSystem.class, values -> LogSystem.open(LogConfig.file(values.newPath())));
        probes.given(LogSystem.class, "open", Consumer.class, values -> (Consumer<Duty>) duty ->
                values.kept(Worker.builder("log", List.of(duty)).build()).start());
        probes.given(
                LogConfig.class,
                "load",
                Path.class,
                values -> Files.writeString(values.newPath(), "output = console\n"));
        probes.given(SiteFile.class, "new", Path.class, values -> Files.createDirectory(values.newPath()));
        probes.given(LogTool.class, String.class, values -> "json");
        probes.given(LogTool.class, Path.class, values -> {
            Path path = values.newPath();
            LogSystem.open(LogConfig.journal(path)).close();
            return path;
        });
        probes.spared(LogSystem.class, "share", "sets up the log of the whole JVM");
        probes.works(LogSystem.class, system -> {
            system.log("a check").error("works");
            assertThat(system.flush(Await.PATIENCE)).isTrue();
            assertThat(system.losses().lost()).as(system.losses().reason()).isZero();
        });
    }
}
