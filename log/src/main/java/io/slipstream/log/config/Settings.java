package io.slipstream.log.config;

import io.slipstream.log.config.LogConfig.Output;
import io.slipstream.log.event.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Settings as properties, and back. */
final class Settings {
    private static final String LEVEL = "level";
    private static final String LEVEL_OF = "level.";
    private static final List<String> KEYS = List.of(
            LEVEL,
            "output",
            "path",
            "format",
            "pattern",
            "roll.size",
            "roll.every",
            "keep.files",
            "keep.for",
            "compress",
            "text.size",
            "ring.size",
            "full.wait",
            "full.keep",
            "force");
    private static final Pattern QUANTITY = Pattern.compile("(\\d+)\\s*([A-Za-z]*)");

    private Settings() {}

    static Properties of(LogConfig config) {
        Properties properties = new Properties();
        config.levels()
                .forEach((name, level) ->
                        properties.setProperty(name.isEmpty() ? LEVEL : LEVEL_OF + name, level.name()));
        properties.setProperty("output", config.output().name());
        properties.setProperty(
                "path", config.path() == null ? "" : config.path().toString());
        properties.setProperty("format", config.format());
        properties.setProperty("pattern", config.pattern());
        properties.setProperty("roll.size", config.rollBytes() + " B");
        properties.setProperty("roll.every", text(config.rollAge()));
        properties.setProperty("keep.files", Integer.toString(config.keepFiles()));
        properties.setProperty("keep.for", text(config.keepAge()));
        properties.setProperty("compress", Boolean.toString(config.compress()));
        properties.setProperty("text.size", config.textSize() + " B");
        properties.setProperty("ring.size", config.ringBytes() + " B");
        properties.setProperty("full.wait", config.fullWait().toNanos() + " ns");
        properties.setProperty("full.keep", config.fullKeep().name());
        properties.setProperty("force", Boolean.toString(config.force()));
        return properties;
    }

    private static String text(@Nullable Duration duration) {
        return duration == null ? "" : duration.toNanos() + " ns";
    }

    static LogConfig read(Properties given, @Nullable Path source) {
        Map<String, Level> levels = new HashMap<>(Map.of("", Level.INFO));
        Properties properties = of(LogConfig.console());
        for (String key : given.stringPropertyNames()) {
            String value = given.getProperty(key).strip();
            if (key.equals(LEVEL) || key.startsWith(LEVEL_OF)) {
                levels.put(key.equals(LEVEL) ? "" : key.substring(LEVEL_OF.length()), choice(Level.class, key, value));
            } else if (!KEYS.contains(key)) {
                throw new IllegalArgumentException(
                        "unknown setting '" + key + "'; did you mean '" + nearest(key) + "'?");
            } else {
                properties.setProperty(key, value);
            }
        }
        String path = properties.getProperty("path");
        Output output = choice(Output.class, "output", properties.getProperty("output"));
        return new LogConfig(
                levels,
                output,
                path.isEmpty() ? null : Path.of(path),
                properties.getProperty("format"),
                properties.getProperty("pattern"),
                bytes("roll.size", properties),
                duration("roll.every", properties),
                number("keep.files", properties),
                duration("keep.for", properties),
                flag("compress", properties),
                (int) Math.min(Integer.MAX_VALUE, bytes("text.size", properties)),
                (int) Math.min(Integer.MAX_VALUE, bytes("ring.size", properties)),
                wait(properties),
                choice(Level.class, "full.keep", properties.getProperty("full.keep")),
                flag("force", properties),
                source);
    }

    private static Duration wait(Properties properties) {
        Duration wait = duration("full.wait", properties);
        return wait == null ? Duration.ZERO : wait;
    }

    private static boolean flag(String key, Properties properties) {
        return switch (properties.getProperty(key)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw wrong(key, properties, "true or false");
        };
    }

    private static int number(String key, Properties properties) {
        Matcher matcher = QUANTITY.matcher(properties.getProperty(key));
        if (!matcher.matches() || !matcher.group(2).isEmpty()) {
            throw wrong(key, properties, "a whole number");
        }
        return (int) amount(matcher, 1, Integer.MAX_VALUE, key, properties);
    }

    /** The number in front, times its unit. */
    private static long amount(Matcher matcher, long unit, long most, String key, Properties properties) {
        try {
            long amount = Math.multiplyExact(Long.parseLong(matcher.group(1)), unit);
            if (amount <= most) {
                return amount;
            }
        } catch (ArithmeticException | NumberFormatException e) {
            // It is too large, too.
        }
        throw wrong(key, properties, "not more than " + most / unit);
    }

    private static long bytes(String key, Properties properties) {
        Matcher matcher = QUANTITY.matcher(properties.getProperty(key));
        long unit = !matcher.matches()
                ? 0
                : switch (matcher.group(2).toUpperCase(Locale.ROOT)) {
                    case "", "B" -> 1L;
                    case "K", "KB" -> 1L << 10;
                    case "M", "MB" -> 1L << 20;
                    case "G", "GB" -> 1L << 30;
                    default -> 0;
                };
        if (unit == 0) {
            throw wrong(key, properties, "a size, as 100 MB");
        }
        return amount(matcher, unit, Long.MAX_VALUE, key, properties);
    }

    private static @Nullable Duration duration(String key, Properties properties) {
        String text = properties.getProperty(key);
        if (text.isEmpty()) {
            return null;
        }
        Matcher matcher = QUANTITY.matcher(text.equals("hour") || text.equals("day") ? "1 " + text : text);
        Duration unit = !matcher.matches()
                ? null
                : switch (matcher.group(2)) {
                    case "ns" -> Duration.ofNanos(1);
                    case "us" -> Duration.ofNanos(1_000);
                    case "ms" -> Duration.ofMillis(1);
                    case "s" -> Duration.ofSeconds(1);
                    case "min" -> Duration.ofMinutes(1);
                    case "h", "hour", "hours" -> Duration.ofHours(1);
                    case "d", "day", "days" -> Duration.ofDays(1);
                    default -> null;
                };
        if (unit == null) {
            throw wrong(key, properties, "a time, as 100 ms or 7 days");
        }
        return Duration.ofNanos(amount(matcher, unit.toNanos(), Long.MAX_VALUE, key, properties));
    }

    private static <E extends Enum<E>> E choice(Class<E> type, String key, String value) {
        E[] constants = type.getEnumConstants();
        for (E constant : constants) {
            if (constant.name().equalsIgnoreCase(value)) {
                return constant;
            }
        }
        throw new IllegalArgumentException(key + " is one of "
                + Arrays.stream(constants)
                        .map(c -> c.name().toLowerCase(Locale.ROOT))
                        .collect(Collectors.joining(", ")) + ", not '" + value + "'");
    }

    private static IllegalArgumentException wrong(String key, Properties properties, String expected) {
        return new IllegalArgumentException(key + " is " + expected + ", not '" + properties.getProperty(key) + "'");
    }

    private static String nearest(String key) {
        return KEYS.stream()
                .min(Comparator.comparingInt(known -> distance(key, known)))
                .orElseThrow();
    }

    /** Levenshtein's distance: how many characters to change. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        Arrays.setAll(row, i -> i);
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
