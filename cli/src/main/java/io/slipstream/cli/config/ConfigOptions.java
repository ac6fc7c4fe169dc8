package io.slipstream.cli.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.Stack;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Lets a command read its options from a file, and print them as such a file. */
public final class ConfigOptions {
    private static final String CONFIG = "--config";
    private static final String PRINT = "--print-config";

    /** What a file cannot have. */
    static final Set<String> NAMES = Set.of(CONFIG, PRINT);

    @Option(
            names = CONFIG,
            paramLabel = "FILE",
            description = "Takes options from this TOML file, such as 'port = 7500'. Arguments win over it.")
    private @Nullable Path file;

    // Like a help option: what is required may be missing.
    @Option(names = PRINT, help = true, description = "Prints the options as such a file, and ends.")
    private boolean print;

    /** Creates the options; picocli fills them in. */
    public ConfigOptions() {}

    /** Adds the options to each subcommand of the command of that name. */
    public static void addToSubcommands(CommandLine root, String name) {
        CommandLine parent = Objects.requireNonNull(root.getSubcommands().get(name), name);
        for (CommandLine each : parent.getSubcommands().values()) {
            CommandSpec command = each.getCommandSpec();
            command.addMixin("config", CommandSpec.forAnnotatedObject(new ConfigOptions()));
            command.preprocessor(ConfigOptions::read);
        }
    }

    /** Prints the options if that is asked for. Returns whether it was. */
    public static boolean print(CommandLine line) {
        CommandLine.ParseResult parsed = line.getParseResult();
        if (parsed == null || !parsed.hasMatchedOption(PRINT)) {
            return false;
        }
        PrintedConfig.of(line.getCommandSpec(), line.getOut());
        line.getOut().flush();
        return true;
    }

    /** Reads the file before the arguments are looked at: it gives the values of those that are missing. */
    private static boolean read(
            Stack<String> stack, CommandSpec command, @Nullable ArgSpec argument, Map<String, Object> info) {
        List<String> arguments = new ArrayList<>(stack).reversed();
        for (int i = 0; i < arguments.size(); i++) {
            String each = arguments.get(i);
            if (each.startsWith(CONFIG + "=")) {
                use(each.substring(CONFIG.length() + 1), command, arguments);
            } else if (each.equals(CONFIG) && i + 1 < arguments.size()) {
                use(arguments.get(i + 1), command, arguments);
            }
        }
        return false;
    }

    private static void use(String file, CommandSpec command, List<String> arguments) {
        command.defaultValueProvider(ConfigFile.read(Path.of(file), command, arguments));
    }
}
