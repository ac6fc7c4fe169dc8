package io.slipstream.log.layout;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * How the name of a logger is shortened: {@code {2}} shows its last two parts as in Log4j, {@code {0}} the last one,
 * and from {@code {10}} on it is a number of characters as in Logback: parts from the left become their first letter
 * until the rest fits. {@code {1.}} leaves one letter of each part but the last.
 */
final class LoggerNames {
    static final LoggerNames WHOLE = new LoggerNames(Integer.MAX_VALUE, 0);

    /** Numbers from here on are those of characters. */
    private static final int FIRST_LENGTH = 10;

    private final int number;
    private final int letters;

    private LoggerNames(int number, int letters) {
        this.number = number;
        this.letters = letters;
    }

    /**
     * Reads what stands between the braces.
     *
     * @throws IllegalArgumentException if it is neither a number, nor a number with a dot behind it
     */
    static LoggerNames of(String option) {
        if (!option.matches("\\d{1,4}\\.?")) {
            throw new IllegalArgumentException("{" + option + "} of a logger is none of {2}, {36} and {1.}");
        }
        int number = Integer.parseInt(option.replace(".", ""));
        return option.endsWith(".") ? new LoggerNames(0, number) : new LoggerNames(number, 0);
    }

    String shorten(String name) {
        if (letters > 0) {
            String[] parts = name.split("\\.");
            for (int i = 0; i < parts.length - 1; i++) {
                parts[i] = parts[i].substring(0, Math.min(letters, parts[i].length()));
            }
            return String.join(".", parts);
        }
        return number < FIRST_LENGTH ? last(name, Math.max(1, number)) : fitted(name);
    }

    private static String last(String name, int parts) {
        String[] all = name.split("\\.");
        return Arrays.stream(all).skip(Math.max(0, all.length - parts)).collect(Collectors.joining("."));
    }

    private String fitted(String name) {
        String[] parts = name.split("\\.");
        int length = name.length();
        for (int i = 0; i < parts.length - 1 && length > number; i++) {
            length -= Math.max(0, parts[i].length() - 1);
            parts[i] = parts[i].substring(0, Math.min(1, parts[i].length()));
        }
        return length == name.length() ? name : String.join(".", parts);
    }
}
