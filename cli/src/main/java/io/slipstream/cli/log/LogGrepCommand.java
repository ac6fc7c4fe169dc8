package io.slipstream.cli.log;

import io.slipstream.cli.console.Usage;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code slipstream log grep}. */
@Command(
        name = "grep",
        mixinStandardHelpOptions = true,
        description = "Shows the messages whose line has something that an expression matches.")
final class LogGrepCommand implements Callable<Integer> {
    @Mixin
    private LogSelection selection;

    @Option(
            names = {"-e", "--regexp"},
            paramLabel = "REGEX",
            required = true,
            description = "A regular expression.")
    private String expression;

    @Option(
            names = {"-i", "--ignore-case"},
            description = "Takes upper and lower case as the same.")
    private boolean ignoreCase;

    @Spec
    private CommandSpec spec;

    @SuppressWarnings("NullAway.Init")
    LogGrepCommand() {}

    @Override
    public Integer call() throws IOException {
        try {
            selection.show(Pattern.compile(expression, ignoreCase ? Pattern.CASE_INSENSITIVE : 0), null, false);
        } catch (PatternSyntaxException e) {
            throw Usage.wrong(spec, "--regexp is no regular expression: " + e.getMessage());
        }
        return 0;
    }
}
