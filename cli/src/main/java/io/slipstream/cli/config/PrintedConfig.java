package io.slipstream.cli.config;

import java.io.PrintWriter;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.tomlj.Toml;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The options of a command as a file for {@code --config}. */
final class PrintedConfig {
    private static final int WIDTH = 98;

    private PrintedConfig() {}

    /** Prints them with their values; those without one as comments. */
    static void of(CommandSpec command, PrintWriter out) {
        out.println("# " + command.qualifiedName() + " --config FILE");
        for (Map.Entry<String, OptionSpec> each : ConfigFile.options(command).entrySet()) {
            OptionSpec option = each.getValue();
            out.println();
            comment(String.join(" ", option.description()), out);
            Object value = option.getValue();
            if (value == null) {
                out.println(
                        "# " + each.getKey() + " = " + option.paramLabel() + (option.required() ? "  (required)" : ""));
            } else {
                out.println(each.getKey() + " = " + toml(value));
            }
        }
    }

    private static void comment(String text, PrintWriter out) {
        StringBuilder line = new StringBuilder("#");
        for (String word : text.split(" ", -1)) {
            if (line.length() + 1 + word.length() > WIDTH) {
                out.println(line);
                line.setLength(1);
            }
            line.append(' ').append(word);
        }
        out.println(line);
    }

    private static String toml(@Nullable Object value) {
        return switch (value) {
            case Boolean truth -> truth.toString();
            case Number number -> number.toString();
            case Collection<?> many ->
                many.stream().map(PrintedConfig::toml).collect(Collectors.joining(", ", "[", "]"));
            case null, default -> "\"" + Toml.tomlEscape(String.valueOf(value)) + "\"";
        };
    }
}
