package io.slipstream.http.monitor;

import java.util.stream.Collectors;

/**
 * The text format of Prometheus as that of OpenMetrics 1.0. There a family of counters is described by its name without
 * {@code _total}, and the text has an end.
 */
final class OpenMetrics {
    private static final String TOTAL = "_total";

    private OpenMetrics() {}

    /** Returns the text in the other format. */
    static String of(String prometheus) {
        return prometheus.lines().map(OpenMetrics::line).collect(Collectors.joining("\n", "", "\n# EOF\n"));
    }

    private static String line(String line) {
        if (!line.startsWith("#")) {
            return line;
        }
        // The name is the third word.
        int end = line.indexOf(' ', "# HELP ".length());
        return line.substring(0, end).endsWith(TOTAL)
                ? line.substring(0, end - TOTAL.length()) + line.substring(end)
                : line;
    }
}
