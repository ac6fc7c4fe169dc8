package io.slipstream.cli.log;

import io.slipstream.log.config.LogConfig;
import io.slipstream.log.event.Level;
import io.slipstream.log.tool.LogFilter;
import io.slipstream.log.tool.LogTool;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which events to show, and how. */
final class LogSelection {
    private static final long FOLLOW_MILLIS = 100;

    @Parameters(paramLabel = "DIR", description = "The folder of the log.")
    private Path folder;

    @Option(
            names = {"-l", "--level"},
            paramLabel = "LEVEL",
            defaultValue = "TRACE",
            description = "The least level.")
    private Level level;

    @Option(
            names = {"-c", "--logger"},
            paramLabel = "NAME",
            defaultValue = "",
            showDefaultValue = Visibility.NEVER,
            description = "Only this logger, and those below it.")
    private String logger;

    @Option(names = "--from", paramLabel = "TIME", description = "The first time, as 2026-11-23T04:05:06Z.")
    private @Nullable Instant from;

    @Option(names = "--to", paramLabel = "TIME", description = "The last time.")
    private @Nullable Instant to;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "pattern",
            description = "Form of the lines: pattern, json or logfmt.")
    private String format;

    @Option(
            names = "--pattern",
            paramLabel = "PATTERN",
            defaultValue = LogConfig.DEFAULT_PATTERN,
            description = "Of the format pattern.")
    private String pattern;

    @Option(names = "--color", description = "Colors the lines by their level.")
    private boolean color;

    @SuppressWarnings("NullAway.Init")
    LogSelection() {}

    /** Shows what there is, and goes on with what comes if {@code follow}. */
    void show(@Nullable Pattern text, @Nullable Instant since, boolean follow) throws IOException {
        Instant first = from != null ? from : since;
        LogFilter filter = new LogFilter(level, logger, nanos(first, Long.MIN_VALUE), nanos(to, Long.MAX_VALUE), text);
        OutputStream out = new BufferedOutputStream(System.out, 1 << 16);
        try (LogTool tool = new LogTool(folder, filter, format, pattern, color, out)) {
            tool.show();
            while (follow && !System.out.checkError()) {
                out.flush();
                try {
                    Thread.sleep(FOLLOW_MILLIS);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return;
                }
                tool.show();
            }
        }
    }

    private static long nanos(@Nullable Instant instant, long otherwise) {
        return instant == null ? otherwise : ChronoUnit.NANOS.between(Instant.EPOCH, instant);
    }
}
