package io.slipstream.core.memory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Facts about this machine's memory pages, as Linux tells them; on other systems only the defaults are known.
 *
 * @param bytes                size of an ordinary page, if the system tells
 * @param transparentHugePages the mode: {@code always}, {@code madvise}, {@code never}, or {@code unknown}
 * @param hugePageBytes        size of a huge page, if the system has them
 * @param hugePagesFree        reserved huge pages that nobody uses, if the system tells
 */
public record Pages(
        OptionalLong bytes, String transparentHugePages, OptionalLong hugePageBytes, OptionalLong hugePagesFree) {
    private static final Path MODE = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");
    private static final Path MAPPINGS = Path.of("/proc/self/smaps");
    private static final Path MEMORY = Path.of("/proc/meminfo");
    private static final Pattern CHOSEN = Pattern.compile("\\[(\\w+)]");

    /** Asks the system. */
    public static Pages ofThisMachine() {
        Matcher mode = CHOSEN.matcher(read(MODE));
        String memory = read(MEMORY);
        return new Pages(
                number(firstPageSize(), "(\\d+) kB", 1024),
                mode.find() ? mode.group(1) : "unknown",
                number(memory, "Hugepagesize:\\s+(\\d+) kB", 1024),
                number(memory, "HugePages_Free:\\s+(\\d+)", 1));
    }

    private static OptionalLong number(String text, String pattern, long unit) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        return matcher.find() ? OptionalLong.of(unit * Long.parseLong(matcher.group(1))) : OptionalLong.empty();
    }

    /** The file is long and costly to read, and its first mapping is that of a program, which has ordinary pages. */
    private static String firstPageSize() {
        try (Stream<String> lines = Files.lines(MAPPINGS)) {
            return lines.filter(line -> line.startsWith("KernelPageSize:"))
                    .findFirst()
                    .orElse("");
        } catch (IOException | UncheckedIOException e) {
            return "";
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }
}
