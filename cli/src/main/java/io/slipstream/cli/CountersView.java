package io.slipstream.cli;

import io.slipstream.core.counters.CounterType;
import io.slipstream.core.counters.CounterValue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The counters of a process at one moment, as text or as JSON.
 *
 * @param pid      of the process
 * @param alive    whether it runs, as far as can be seen
 * @param started  when its counters were created
 * @param counters in the order in which they were added
 */
record CountersView(long pid, boolean alive, Instant started, List<CounterValue> counters) {
    private static final int ALERT_PERCENT = 70;

    /** Control and format characters, and those that end a line or a paragraph. */
    private static final Pattern OBEYED = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]");

    private static final long NO_CAPACITY = 0;

    /** A counter with the capacity that it is measured against, or {@link #NO_CAPACITY}. */
    private record Measured(CounterValue counter, long capacity) {
        private boolean isMeasured() {
            return capacity > NO_CAPACITY && isFilling(counter);
        }

        private double percent() {
            return 100.0 * counter.value() / capacity;
        }

        boolean isAlert() {
            return isMeasured() && percent() >= ALERT_PERCENT;
        }

        String mark() {
            return isMeasured()
                    ? String.format(Locale.ROOT, "  %3d %%%s", Math.round(percent()), isAlert() ? "  <<< ALERT" : "")
                    : "";
        }
    }

    String text() {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT, "process %d %s, counters since %s%n", pid, alive ? "running" : "GONE", started));
        int width = counters.stream()
                .mapToInt(c -> c.label().length())
                .filter(length -> length > 0)
                .max()
                .orElse(1);
        Map<String, List<Measured>> owners = new LinkedHashMap<>();
        measured()
                .forEach(m -> owners.computeIfAbsent(m.counter.owner(), owner -> new ArrayList<>())
                        .add(m));
        owners.forEach((owner, its) -> {
            text.append(String.format(Locale.ROOT, "%n%s%n", printable(owner)));
            for (Measured each : its) {
                text.append(String.format(
                        Locale.ROOT,
                        "  %-" + width + "s %,18d%s%n",
                        printable(each.counter.label()),
                        each.counter.value(),
                        each.mark()));
            }
        });
        return text.toString();
    }

    String json() {
        String all = measured().stream()
                .map(m -> String.format(
                        Locale.ROOT,
                        "{\"owner\":\"%s\",\"label\":\"%s\",\"type\":\"%s\",\"value\":%d,\"alert\":%b}",
                        escape(m.counter.owner()),
                        escape(m.counter.label()),
                        m.counter.type(),
                        m.counter.value(),
                        m.isAlert()))
                .collect(Collectors.joining(","));
        return String.format(
                Locale.ROOT,
                "{\"pid\":%d,\"alive\":%b,\"started\":\"%s\",\"counters\":[%s]}%n",
                pid,
                alive,
                started,
                all);
    }

    /**
     * Gives each counter the capacity of its owner that was added last before it or, if there is none, the first one
     * behind it.
     */
    private List<Measured> measured() {
        Map<String, Long> capacities = new HashMap<>();
        counters.stream().filter(CountersView::isCapacity).forEach(c -> capacities.putIfAbsent(c.owner(), c.value()));
        List<Measured> measured = new ArrayList<>();
        for (CounterValue counter : counters) {
            if (isCapacity(counter)) {
                capacities.put(counter.owner(), counter.value());
            }
            measured.add(new Measured(counter, capacities.getOrDefault(counter.owner(), NO_CAPACITY)));
        }
        return measured;
    }

    private static boolean isCapacity(CounterValue counter) {
        return counter.type() == CounterType.CAPACITY;
    }

    private static boolean isFilling(CounterValue counter) {
        return counter.type() == CounterType.DEPTH || counter.type() == CounterType.LAG;
    }

    /**
     * The file may be anybody's: a terminal obeys control characters, and shows text in an order that others ask for.
     */
    private static String printable(String text) {
        return OBEYED.matcher(text).replaceAll("?");
    }

    private static String escape(String text) {
        String escaped = text.replace("\\", "\\\\").replace("\"", "\\\"");
        return OBEYED.matcher(escaped)
                .replaceAll(found -> found.group()
                        .chars()
                        .mapToObj(c -> String.format(Locale.ROOT, "\\\\u%04x", c))
                        .collect(Collectors.joining()));
    }
}
