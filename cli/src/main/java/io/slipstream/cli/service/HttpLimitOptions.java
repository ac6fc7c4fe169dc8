package io.slipstream.cli.service;

import io.slipstream.cli.console.Usage;
import io.slipstream.http.config.HttpLimits;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** What clients may ask of the gateway at once. What is not given has the gateway's default. */
public final class HttpLimitOptions {
    private static final int MOST = 1 << 20;

    @Option(
            names = "--http-rate",
            paramLabel = "N",
            description = "Requests a second of one client by HTTP; more are answered 429. No limit if not given.")
    private @Nullable Integer rate;

    @Option(
            names = "--http-body",
            paramLabel = "KB",
            description = "Longest body of a request by HTTP in kilobytes; 1024 if not given.")
    private @Nullable Integer bodyKilobytes;

    @Option(
            names = "--http-pending",
            paramLabel = "N",
            description = "Requests by HTTP that wait for the service; more are answered 503. 4096 if not given.")
    private @Nullable Integer pending;

    @Option(
            names = "--http-pending-memory",
            paramLabel = "MB",
            description = "Megabytes of requests by HTTP that wait for the service; more are answered 503. "
                    + "16 if not given.")
    private @Nullable Integer pendingMegabytes;

    @Option(
            names = "--http-streams",
            paramLabel = "N",
            description = "Event streams at once; more are answered 503. 64 if not given.")
    private @Nullable Integer streams;

    @Option(
            names = "--http-answer-time",
            paramLabel = "MS",
            description = "Milliseconds within which the service has to answer a request by HTTP; 504 afterwards. "
                    + "10000 if not given.")
    private @Nullable Integer answerMillis;

    /** Creates the options; picocli fills them in. */
    public HttpLimitOptions() {}

    /** Returns whether one of them is given. */
    boolean isGiven() {
        return rate != null
                || bodyKilobytes != null
                || pending != null
                || pendingMegabytes != null
                || streams != null
                || answerMillis != null;
    }

    /** Checks them, and returns the limits. */
    HttpLimits limits(CommandSpec command) {
        HttpLimits limits = HttpLimits.DEFAULT;
        if (rate != null) {
            limits = limits.withRatePerSecond(in(command, "--http-rate", rate, 1, MOST));
        }
        if (bodyKilobytes != null) {
            limits = limits.withBodyBytes(in(command, "--http-body", bodyKilobytes, 1, 64 << 10) << 10);
        }
        if (pending != null) {
            limits = limits.withPending(in(command, "--http-pending", pending, 1, MOST));
        }
        if (pendingMegabytes != null) {
            limits = limits.withPendingBytes(in(command, "--http-pending-memory", pendingMegabytes, 1, 1_024) << 20);
        }
        if (streams != null) {
            limits = limits.withStreams(in(command, "--http-streams", streams, 1, 10_000));
        }
        if (answerMillis != null) {
            limits = limits.withTimes(
                    limits.idle(),
                    limits.requestTime(),
                    Duration.ofMillis(in(command, "--http-answer-time", answerMillis, 10, 600_000)));
        }
        return limits;
    }

    private static int in(CommandSpec command, String option, int value, int least, int most) {
        Usage.range(command, option, value, least, most);
        return value;
    }
}
