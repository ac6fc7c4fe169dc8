package io.slipstream.cli.service;

import io.slipstream.cli.console.Usage;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.Threading;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** How many threads a service has: options of every command that serves. */
public final class ThreadOptions {
    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Threads of the stages, 1 to 3; as the processors allow if not given.")
    private @Nullable Integer threads;

    @Option(
            names = "--gateway-threads",
            paramLabel = "N",
            defaultValue = "1",
            description = "Threads that read and write connections, 1 to 8; more than one need --threads 3.")
    private int gatewayThreads;

    /** Creates the options; picocli fills them in. */
    public ThreadOptions() {}

    /** Checks the numbers, and that they go together; before anything is opened. */
    public void check(CommandSpec spec) {
        if (threads != null) {
            Usage.range(spec, "--threads", threads, 1, Threading.values().length);
        }
        Usage.range(spec, "--gateway-threads", gatewayThreads, 1, ServiceConfig.MAX_GATEWAY_THREADS);
        Threading threading = threading();
        if (gatewayThreads > 1 && threading != Threading.THREE) {
            throw Usage.wrong(
                    spec,
                    "--gateway-threads " + gatewayThreads + " needs --threads 3, and there "
                            + (threading == Threading.ONE ? "is 1" : "are 2"));
        }
    }

    /** Returns the settings with these threads. */
    public ServiceConfig applyTo(ServiceConfig config) {
        return config.withThreading(threading()).withGatewayThreads(gatewayThreads);
    }

    private Threading threading() {
        return threads == null
                ? Threading.forProcessors(Runtime.getRuntime().availableProcessors())
                : Threading.values()[threads - 1];
    }
}
