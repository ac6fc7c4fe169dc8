package io.slipstream.cli.config;

import io.slipstream.cli.console.Usage;
import io.slipstream.cli.console.ValueOrigin;
import io.slipstream.core.text.SettingsText;
import io.slipstream.lab.tool.EditDistance;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlParseError;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * A TOML file with options of one command: {@code port = 7500} for {@code --port 7500}. All of it is checked when it is
 * read; each message names file, line and key.
 */
final class ConfigFile implements IDefaultValueProvider, ValueOrigin {
    private final Path file;
    private final CommandSpec command;
    private final Map<String, String> values = new HashMap<>();
    private final Map<String, Integer> lines = new HashMap<>();

    private ConfigFile(Path file, CommandSpec command) {
        this.file = file;
        this.command = command;
    }

    /**
     * Reads a file.
     *
     * @param arguments of the command, which win over the file
     * @throws ParameterException if it cannot be read, or has what is no option or no value of one
     */
    static ConfigFile read(Path file, CommandSpec command, List<String> arguments) {
        ConfigFile config = new ConfigFile(file, command);
        TomlParseResult parsed = config.parse();
        for (String key : parsed.keySet()) {
            config.add(parsed, key);
        }
        // Arguments of flags have no value, so that picocli would take the opposite of what the file says.
        arguments.forEach(each -> config.values.remove(keyOf(each.split("=", 2)[0])));
        return config;
    }

    @Override
    public @Nullable String defaultValue(ArgSpec argument) {
        String ours = argument instanceof OptionSpec option ? values.get(keyOf(option.longestName())) : null;
        return ours != null ? ours : argument.defaultValue();
    }

    @Override
    public @Nullable String of(String option) {
        String key = keyOf(option);
        return values.containsKey(key) ? place(key) : null;
    }

    /** Returns the key of an option. */
    static String keyOf(String option) {
        return option.startsWith("--") ? option.substring(2) : option;
    }

    /** Returns the options of a command that a file may have, by key. */
    static Map<String, OptionSpec> options(CommandSpec command) {
        return command.options().stream()
                .filter(each -> !each.hidden()
                        && !each.usageHelp()
                        && !each.versionHelp()
                        && !ConfigOptions.NAMES.contains(each.longestName()))
                .collect(Collectors.toMap(
                        each -> keyOf(each.longestName()), each -> each, (one, other) -> one, LinkedHashMap::new));
    }

    private TomlParseResult parse() {
        TomlParseResult parsed;
        try {
            parsed = Toml.parse(SettingsText.read(file));
        } catch (NoSuchFileException e) {
            throw wrong("there is no file " + file + " for --config");
        } catch (CharacterCodingException e) {
            throw wrong(file + " is no text in UTF-8");
        } catch (IOException e) {
            throw wrong(file + " cannot be read: " + e.getMessage());
        }
        if (parsed.hasErrors()) {
            TomlParseError first = parsed.errors().getFirst();
            throw wrong(file + ", line " + first.position().line() + ": this is no TOML. " + first.getMessage());
        }
        return parsed;
    }

    private void add(TomlParseResult parsed, String key) {
        List<String> path = List.of(key);
        TomlPosition position = parsed.inputPositionOf(path);
        lines.put(key, position == null ? 1 : position.line());
        OptionSpec option = options(command).get(key);
        if (option == null) {
            throw wrong(place(key) + " is no option of '" + command.qualifiedName() + "'. " + nearest(key));
        }
        Object value = parsed.get(path);
        if (value instanceof TomlTable) {
            throw wrong(place(key) + " must be a value, not a table");
        }
        values.put(key, value instanceof TomlArray array ? joined(key, option, array) : text(key, option, value));
    }

    private String joined(String key, OptionSpec option, TomlArray array) {
        if (!option.isMultiValue() || option.splitRegex().isEmpty()) {
            throw wrong(place(key) + " must be one value, not an array");
        }
        return array.toList().stream().map(each -> text(key, option, each)).collect(Collectors.joining(","));
    }

    /** Returns a value as picocli reads it, if it is of the option's type. */
    private String text(String key, OptionSpec option, @Nullable Object value) {
        Class<?> type = option.isMultiValue() ? option.auxiliaryTypes()[0] : option.type();
        boolean isInt = type == int.class || type == Integer.class;
        String wanted;
        if (type == boolean.class || type == Boolean.class) {
            wanted = value instanceof Boolean ? "" : "true or false";
        } else if (isInt || type == long.class || type == Long.class) {
            wanted = !(value instanceof Long number)
                    ? "a whole number"
                    : isInt && number.intValue() != number ? "nearer to 0" : "";
        } else if (type == double.class || type == Double.class) {
            wanted = value instanceof Number ? "" : "a number";
        } else if (type.isEnum()) {
            boolean known = Arrays.stream(type.getEnumConstants())
                    .anyMatch(each -> each.toString().equalsIgnoreCase(String.valueOf(value)));
            wanted = value instanceof String && known
                    ? ""
                    : Arrays.stream(type.getEnumConstants())
                            .map(each -> '"' + each.toString() + '"')
                            .collect(Collectors.joining(", ", "one of ", ""));
        } else {
            wanted = value instanceof String ? "" : "a text in quotes";
        }
        if (!wanted.isEmpty()) {
            throw wrong(place(key) + " must be " + wanted + ", not " + value);
        }
        return String.valueOf(value);
    }

    private String nearest(String key) {
        return options(command).keySet().stream()
                .filter(name -> EditDistance.between(key, name) <= Math.max(2, name.length() / 3))
                .min(Comparator.comparingInt(name -> EditDistance.between(key, name)))
                .map(name -> "Did you mean " + name + "?")
                .orElse("There are: " + String.join(", ", options(command).keySet()));
    }

    private String place(String key) {
        return file + ", line " + lines.get(key) + ": " + key;
    }

    private ParameterException wrong(String message) {
        return Usage.wrong(command, message);
    }
}
