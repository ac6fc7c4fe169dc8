package io.slipstream.cli;

import io.slipstream.core.counters.CounterType;
import io.slipstream.core.counters.CounterValue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The counters of a process at one moment, as text or as JSON.
 *
 * @param pid      of the process
 * @param alive    whether it runs
 * @param started  when its counters were created
 * @param counters in the order in which they were added
 */
record CountersView(long pid, boolean alive, Instant started, List<CounterValue> counters) {
    private static final int ALERT_PERCENT = 70;

    String text() {
        StringBuilder text = new StringBuilder(String.format(Locale.ROOT, "process %d %s, counters since %s%n", pid,
                alive ? "running" : "GONE", started));
        int width = counters.stream().mapToInt(c -> c.label().length()).filter(length -> length > 0).max().orElse(1);
        byOwner().forEach((owner, its) -> {
            text.append(String.format(Locale.ROOT, "%n%s%n", printable(owner)));
            for (CounterValue counter : its) {
                text.append(String.format(Locale.ROOT, "  %-" + width + "s %,18d%s%n", printable(counter.label()), counter.value(),
                        mark(counter, its)));
            }
        });
        return text.toString();
    }

    String json() {
        String all = counters.stream().map(c -> String.format(Locale.ROOT,
                "{\"owner\":\"%s\",\"label\":\"%s\",\"type\":\"%s\",\"value\":%d,\"alert\":%b}", escape(c.owner()),
                escape(c.label()), c.type(), c.value(), isAlert(c, byOwner().getOrDefault(c.owner(), List.of()))))
                .collect(Collectors.joining(","));
        return String.format(Locale.ROOT, "{\"pid\":%d,\"alive\":%b,\"started\":\"%s\",\"counters\":[%s]}%n", pid, alive,
                started, all);
    }

    private Map<String, List<CounterValue>> byOwner() {
        Map<String, List<CounterValue>> owners = new LinkedHashMap<>();
        counters.forEach(c -> owners.computeIfAbsent(c.owner(), owner -> new ArrayList<>()).add(c));
        return owners;
    }

    private static String mark(CounterValue counter, List<CounterValue> itsOwner) {
        long capacity = capacity(counter, itsOwner);
        boolean filling = counter.type() == CounterType.DEPTH || counter.type() == CounterType.LAG;
        if (!filling || capacity <= 0) {
            return "";
        }
        return String.format(Locale.ROOT, "  %3d %%%s", Math.round(100.0 * counter.value() / capacity),
                isAlert(counter, itsOwner) ? "  <<< ALERT" : "");
    }

    private static boolean isAlert(CounterValue counter, List<CounterValue> itsOwner) {
        long capacity = capacity(counter, itsOwner);
        boolean filling = counter.type() == CounterType.DEPTH || counter.type() == CounterType.LAG;
        return filling && capacity > 0 && 100.0 * counter.value() / capacity >= ALERT_PERCENT;
    }

    /** Returns the capacity that was added last before {@code counter}, or the first one behind it, or 0. */
    private static long capacity(CounterValue counter, List<CounterValue> itsOwner) {
        int place = itsOwner.indexOf(counter);
        Predicate<CounterValue> isCapacity = c -> c.type() == CounterType.CAPACITY;
        return itsOwner.subList(0, place).reversed().stream().filter(isCapacity).findFirst()
                .or(() -> itsOwner.stream().filter(isCapacity).findFirst()).map(CounterValue::value).orElse(0L);
    }

    /** The file may be anybody's, and a terminal obeys control characters. */
    private static String printable(String text) {
        return text.replaceAll("\\p{Cc}", "?");
    }

    private static String escape(String text) {
        StringBuilder escaped = new StringBuilder();
        text.chars().forEach(c -> {
            if (c == '"' || c == '\\') {
                escaped.append('\\').append((char) c);
            } else if (c < ' ') {
                escaped.append(String.format(Locale.ROOT, "\\u%04x", c));
            } else {
                escaped.append((char) c);
            }
        });
        return escaped.toString();
    }
}
