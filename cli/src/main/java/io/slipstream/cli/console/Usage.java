package io.slipstream.cli.console;

import io.slipstream.lab.tool.EditDistance;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Refuses wrong usage of a command, in the same words everywhere. */
public final class Usage {
    private Usage() {}

    /** Requires the value of an option to be from {@code least} to {@code most}. */
    public static void range(CommandSpec command, String option, long value, long least, long most) {
        require(command, value >= least && value <= most, option, "from " + least + " to " + most, value);
    }

    /** Requires the value of an option to be {@code least} or more. */
    public static void atLeast(CommandSpec command, String option, long value, long least) {
        require(command, value >= least, option, least + " or more", value);
    }

    /** Requires the value of an option to be greater than 0, and {@code most} or less. */
    public static void aboveZero(CommandSpec command, String option, double value, long most) {
        require(command, value > 0 && value <= most, option, "above 0 and at most " + most, value);
    }

    /** Requires that {@code holds}; otherwise the option must be what {@code wanted} says, and not {@code value}. */
    public static void require(CommandSpec command, boolean holds, String option, String wanted, Object value) {
        if (!holds) {
            Object plain = value instanceof Double number && Double.isFinite(number)
                    ? BigDecimal.valueOf(number).stripTrailingZeros().toPlainString()
                    : value;
            String place = command.defaultValueProvider() instanceof ValueOrigin file ? file.of(option) : null;
            throw wrong(command, (place == null ? option : place) + " must be " + wanted + ", not " + plain);
        }
    }

    /**
     * Requires that no positional argument and no host is empty or of spaces alone, as an unset variable of a script
     * is; else the message tells what it is for.
     */
    public static void requireArguments(CommandLine line) {
        for (OptionSpec option : line.getCommandSpec().options()) {
            boolean isBlankHost =
                    option.paramLabel().equals("HOST") && option.getValue() instanceof String host && host.isBlank();
            require(line.getCommandSpec(), !isBlankHost, option.longestName(), "a name or an address", "empty");
        }
        CommandLine.ParseResult parsed = line.getParseResult();
        for (PositionalParamSpec argument : parsed.matchedPositionals()) {
            if (argument.originalStringValues().stream().anyMatch(String::isBlank)) {
                throw wrong(line.getCommandSpec(), argument.paramLabel() + " must not be empty: " + purpose(argument));
            }
        }
    }

    /** Returns the description, which is a sentence, as the end of one. */
    private static String purpose(PositionalParamSpec argument) {
        String words = String.join(" ", argument.description());
        return words.substring(0, 1).toLowerCase(Locale.ROOT)
                + words.substring(1, words.endsWith(".") ? words.length() - 1 : words.length());
    }

    /**
     * Returns what {@code value} supplies. Its {@link IllegalArgumentException} becomes the message about wrong usage.
     */
    public static <T> T valid(CommandSpec command, Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException e) {
            throw wrong(command, String.valueOf(e.getMessage()));
        }
    }

    /** Returns the exception that ends a command because of wrong usage. */
    public static ParameterException wrong(CommandSpec command, String message) {
        return new ParameterException(command.commandLine(), message);
    }

    /** Returns the exception of a command that was called without one of its subcommands. */
    public static ParameterException which(CommandSpec command) {
        return wrong(command, "which of '" + command.qualifiedName() + "'? " + subcommands(command));
    }

    /**
     * Prints what is wrong, and then the whole usage where a subcommand is missing, or else where to find the usage.
     */
    public static int tell(ParameterException e, String[] arguments) {
        CommandLine line = e.getCommandLine();
        CommandSpec command = line.getCommandSpec();
        PrintWriter err = line.getErr();
        err.println("slipstream: " + words(e, command));
        if (command.subcommands().isEmpty()) {
            err.println("'" + command.qualifiedName() + " --help' shows its options.");
        } else {
            suggest(e, command, err);
            line.usage(err);
        }
        err.flush();
        return CommandLine.ExitCode.USAGE;
    }

    /** Names the subcommand that was probably meant, if one is only a slip or two away. */
    private static void suggest(ParameterException e, CommandSpec command, PrintWriter err) {
        if (e instanceof UnmatchedArgumentException unmatched
                && !unmatched.getUnmatched().isEmpty()) {
            String typed = unmatched.getUnmatched().getFirst();
            command.subcommands().keySet().stream()
                    .filter(name -> EditDistance.between(typed, name) <= Math.max(1, name.length() / 3))
                    .min(Comparator.comparingInt(name -> EditDistance.between(typed, name)))
                    .ifPresent(name -> err.println("Did you mean: " + command.qualifiedName() + " " + name + "?"));
        }
    }

    private static String words(ParameterException e, CommandSpec command) {
        if (e instanceof UnmatchedArgumentException unmatched
                && !unmatched.isUnknownOption()
                && !command.subcommands().isEmpty()) {
            return "there is no '" + command.qualifiedName() + " "
                    + unmatched.getUnmatched().getFirst() + "'. " + subcommands(command);
        }
        if (e.getArgSpec() instanceof OptionSpec option && e.getValue() != null && hasWantedValues(option.type())) {
            return option.longestName() + " must be " + wanted(option.type(), e.getValue()) + ", not " + e.getValue();
        }
        return String.valueOf(e.getMessage());
    }

    private static String subcommands(CommandSpec command) {
        List<String> names = command.subcommands().keySet().stream()
                .filter(name -> !name.equals("help"))
                .toList();
        return (names.size() == 1 ? "There is: " : "There are: ") + String.join(", ", names);
    }

    private static boolean hasWantedValues(Class<?> type) {
        return type.isEnum() || type.isPrimitive() || Number.class.isAssignableFrom(type);
    }

    /** What the values of a type are to those who type them. */
    private static String wanted(Class<?> type, String value) {
        if (type.isEnum()) {
            return Arrays.stream(type.getEnumConstants())
                    .map(String::valueOf)
                    .collect(Collectors.joining(", ", "one of ", ""));
        }
        boolean whole = type == int.class || type == long.class || type == Integer.class || type == Long.class;
        return whole && value.matches("[+-]?\\d+") ? "nearer to 0" : whole ? "a whole number" : "a number";
    }

    /** Returns whether an option is given, as an argument or in the file of --config. */
    public static boolean isSaid(CommandSpec spec, String name) {
        ParseResult parsed = spec.commandLine().getParseResult();
        OptionSpec option = spec.findOption(name);
        IDefaultValueProvider file = spec.defaultValueProvider();
        try {
            if (option == null || parsed.hasMatchedOption(option)) {
                return option != null;
            }
            // A file that does not say it gives the option's own default.
            String said = file == null ? null : file.defaultValue(option);
            return said != null && !said.equals(option.defaultValue());
        } catch (Exception e) {
            throw new IllegalStateException("the default of " + name + " cannot be told", e);
        }
    }
}
