package io.slipstream.cli.service;

import io.slipstream.cli.console.Usage;
import io.slipstream.service.ServiceConfig;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** For how long a command may wait in a service before it is refused. */
public final class ResponseOptions {
    private static final int LONGEST_MILLIS = 60_000;

    @Option(
            names = "--max-response",
            paramLabel = "MS",
            description = "Commands that would wait longer than this many milliseconds are refused as busy; 50 if not "
                    + "given, and 10,000 in a key-value store.")
    private @Nullable Integer millis;

    /** Creates the options; picocli fills them in. */
    public ResponseOptions() {}

    /** Fails with the usage if the time is out of its range. */
    public void check(CommandSpec spec) {
        if (millis != null) {
            Usage.range(spec, "--max-response", millis, 1, LONGEST_MILLIS);
        }
    }

    /** Returns the settings with that time, if it was given. */
    public ServiceConfig applyTo(ServiceConfig config) {
        return millis == null ? config : config.withMaxResponseTime(Duration.ofMillis(millis));
    }
}
