package io.slipstream.lab.report;

import io.slipstream.lab.Figure;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Range;
import io.slipstream.lab.Ratio;
import io.slipstream.lab.run.RunResult;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the findings mean for a service on this machine, and the settings of Slipstream that follow. Each piece is drawn
 * from the data by a stated rule; it is left out where its data is missing, was disturbed, or has a spread that reaches
 * across the rule's line. Ranges are those of the verdicts, wider where there are doubts. What does not follow from the
 * figures says that it is a rule of thumb.
 *
 * @param topic what it is about
 * @param text what to do
 * @param because the figures that say so
 */
public record Advice(String topic, String text, String because) {

    private static final String RULE_OF_THUMB = "A rule of thumb: ";

    /** The advice that a run supports, for its first JVM. */
    public static List<Advice> from(RunResult run) {
        Map<String, Findings> byId = new LinkedHashMap<>();
        run.machine().jvms().stream()
                .limit(1)
                .flatMap(first -> Judged.all(run.on(first)).stream())
                .forEach(judged -> byId.put(judged.result().id(), judged.findings()));
        List<Advice> advice = new ArrayList<>();
        waiting(byId, run.machine().usableCpus(), advice);
        padding(byId, advice);
        writers(byId, advice);
        buffers(byId, advice);
        files(byId, advice);
        batching(byId, advice);
        pinning(byId, run.machine().usableCpus(), advice);
        collector(byId, advice);
        return advice;
    }

    /** Spinning must be at least twice as fast to be worth a processor, and there must be one to spare. */
    private static void waiting(Map<String, Findings> byId, int cpus, List<Advice> advice) {
        Range spin = range(byId, "B3", "Java", "ns/op");
        Range park = range(byId, "B4", "condition, pinned", "ns/op");
        if (spin == null || park == null) {
            return;
        }
        Ratio gain = park.over(spin);
        String because = "A round trip takes " + Figure.show(spin.median()) + " ns spinning and "
                + Figure.show(park.median()) + " ns through a condition (B3, B4), on " + cpus + " processors.";
        if (cpus <= 3 || gain.high() < 2) {
            advice.add(new Advice(
                    "Wait strategy",
                    (cpus <= 3
                                    ? RULE_OF_THUMB
                                            + "A spinning thread takes the place of a working one here: let waiting"
                                            + " threads back"
                                            + " off and park, and run several stages on one thread"
                                    : "Spinning gains little here: let waiting threads back off and park")
                            + ". Service: ServiceConfig.withWaiting(WaitStrategy.backoff())"
                            + (cpus <= 3 ? " and withThreading(Threading." + (cpus == 1 ? "ONE" : "TWO") + ")." : "."),
                    because));
        } else if (gain.low() > 2) {
            advice.add(new Advice(
                    "Wait strategy",
                    "Spin on the one or two threads whose latency matters, each on a core of its own, and back off"
                            + " everywhere else: WaitStrategy.busySpin() for these, WaitStrategy.backoff() for the"
                            + " rest;"
                            + " ServiceConfig.withThreading(Threading.THREE).",
                    because));
        }
    }

    private static void padding(Map<String, Findings> byId, List<Advice> advice) {
        Ratio times = ratio(byId, "B2", "ns/op", "side by side", "2", "padded", "2");
        if (times == null) {
            return;
        }
        String because = "Neighbours cost " + Figure.show(times.median()) + " times as much as padded counters (B2).";
        if (times.low() > 1.3) {
            advice.add(new Advice(
                    "Padding",
                    "Pad what different threads write, as Slipstream's Sequence and its counters are; keep"
                            + " fields that one thread writes together.",
                    because));
        } else if (times.high() < 1.3) {
            advice.add(new Advice(
                    "Padding",
                    "Padding shows little here. " + RULE_OF_THUMB
                            + "That is no reason to drop it: the next machine may differ.",
                    because));
        }
    }

    private static void writers(Map<String, Findings> byId, List<Advice> advice) {
        Ratio cost = ratio(byId, "B6", "ns/op", "CAS", "two threads", "plain", "one thread");
        if (cost != null && cost.low() > 2) {
            advice.add(new Advice(
                    "Writers",
                    "Give every counter and every end of a queue one writer, and add up when somebody asks: a ring for"
                            + " one publisher rather than one for many wherever there is one.",
                    "An increment that is shared by two costs " + Figure.show(cost.median())
                            + " times as much as one's own (B6)."));
        }
    }

    /** The smallest that gives nine tenths of the best: more only displaces other things from the caches. */
    private static void buffers(Map<String, Findings> byId, List<Advice> advice) {
        String series = "by buffer size";
        String metric = "write MB/s";
        Findings found = byId.get("B21");
        List<String> sizes = found == null
                ? List.of()
                : found.xs(metric).stream()
                        .filter(x -> isSteady(found, series, x, metric))
                        .sorted(Comparator.comparingLong(Long::parseLong))
                        .toList();
        if (found == null || sizes.isEmpty()) {
            return;
        }
        for (String size : sizes) {
            List<Ratio> ofOthers = sizes.stream()
                    .filter(other -> !other.equals(size))
                    .map(other -> found.ratio(metric, series, size, series, other))
                    .toList();
            if (ofOthers.stream().allMatch(ratio -> ratio.low() >= 0.9)) {
                advice.add(new Advice(
                        "Buffer size",
                        "Write in pieces of " + Figure.bytes(Long.parseLong(size))
                                + " or more, where nothing is forced to a disk. The journal writes a batch at once,"
                                + " up to"
                                + " JournalConfig.withBatchBytes; let that be no less.",
                        "In a file in memory, it is the smallest size that reaches nine tenths of the best, with "
                                + Figure.show(found.get(series, size, metric).median()) + " MB/s (B21)."));
            }
            if (ofOthers.stream().noneMatch(ratio -> ratio.high() < 0.9)) {
                return;
            }
        }
    }

    private static final String NOT_FORCED =
            " A journal that forces what it writes waits for the device, which this did not measure.";

    /** The channel is fast enough with four fifths of what any other way gives. */
    private static void files(Map<String, Findings> byId, List<Advice> advice) {
        String channel = "FileChannel";
        String metric = "page write MB/s";
        Findings found = byId.get("B8");
        if (found == null || !isSteady(found, channel, "", metric)) {
            return;
        }
        List<String> ways = found.series(metric).stream()
                .filter(way -> isSteady(found, way, "", metric))
                .toList();
        String best = Collections.max(
                ways,
                Comparator.comparingDouble(way -> found.get(way, "", metric).median()));
        boolean amongTheFastest = ways.stream()
                .allMatch(way ->
                        way.equals(channel) || found.ratio(metric, channel, way).low() >= 0.8);
        if (!amongTheFastest && found.ratio(metric, channel, best).high() >= 0.8) {
            return;
        }
        advice.add(new Advice(
                "File IO",
                amongTheFastest
                        ? "Write sequential files that are not forced to the disk through a FileChannel, as the journal"
                                + " does by default: it is among the fastest here, and reports errors where they"
                                + " happen."
                                + NOT_FORCED
                        : "The fastest way to write here, without forcing, is '" + best + "'; the journal's FileChannel"
                                + " gives up some speed for errors that can be handled."
                                + (best.equals("mapped")
                                        ? " Where neither they nor each record on the disk matter,"
                                                + " JournalConfig.withWriteMode(WriteMode.MAPPED)."
                                        : "")
                                + NOT_FORCED,
                (best.equals(channel)
                                ? "It writes "
                                : best + " writes "
                                        + Figure.show(
                                                found.get(best, "", metric).median()) + " MB/s, FileChannel ")
                        + Figure.show(found.get(channel, "", metric).median()) + " MB/s (B8)."));
    }

    private static void batching(Map<String, Findings> byId, List<Advice> advice) {
        Ratio gain = ratio(byId, "B11", "mean µs", "one by one", "", "smart batching", "");
        if (gain == null) {
            return;
        }
        String because = "The mean latency of a burst, one by one, is " + Figure.show(gain.median())
                + " times that with smart batching (B11).";
        if (gain.low() > 1.1) {
            advice.add(new Advice(
                    "Batch size",
                    "Choose none: send whatever has queued up, and flush at the end of a batch (endOfBatch of an"
                            + " EventHandler) or when the buffer is full. " + RULE_OF_THUMB
                            + "Set no timer; the ring bounds a"
                            + " batch, so let it hold a burst: ServiceLimits.withRings.",
                    because));
        } else if (gain.high() < 1.1) {
            advice.add(new Advice(
                    "Batch size",
                    "Batching gains little with messages this cheap to send. " + RULE_OF_THUMB
                            + "It will where a system call or"
                            + " a force belongs to each.",
                    because));
        }
    }

    private static void pinning(Map<String, Findings> byId, int cpus, List<Advice> advice) {
        Ratio gain = ratio(byId, "B4", "ns/op", "condition, free", "", "condition, pinned", "");
        if (gain == null) {
            return;
        }
        String because = "Unpinned hand-overs take " + Figure.show(gain.median())
                + " times as long as pinned ones (B4), on "
                + cpus + " processors.";
        if (cpus <= 2) {
            advice.add(new Advice(
                    "Pinning",
                    RULE_OF_THUMB
                            + "Do not pin a service on so few processors: the kernel, the compiler and the"
                            + " collector need to run"
                            + " somewhere.",
                    because));
        } else if (gain.low() > 1.1) {
            advice.add(new Advice(
                    "Pinning",
                    "Pin the threads of the main flow to cores that share a cache: PinPlan.onePerCore(topology); M1"
                            + " shows"
                            + " which are near.",
                    because));
        } else if (gain.high() < 1.1) {
            advice.add(new Advice(
                    "Pinning",
                    "Pinning gains little here; leave the scheduler its freedom unless jitter matters more than"
                            + " throughput.",
                    because));
        }
    }

    private static void collector(Map<String, Findings> byId, List<Advice> advice) {
        Findings found = byId.get("B29");
        if (found == null || found.xs("pause ms").isEmpty()) {
            return;
        }
        String largest = found.xs("pause ms").get(found.xs("pause ms").size() - 1);
        Ratio times = ratio(byId, "B29", "pause ms", "serial", largest, "ZGC", largest);
        if (times == null) {
            return;
        }
        String because = "With " + largest + " MB alive the serial collector stops for " + Figure.show(times.median())
                + " times as long as ZGC (B29).";
        if (times.low() > 10) {
            advice.add(new Advice(
                    "Collector",
                    "Use -XX:+UseZGC for a service that keeps many small objects, or keep its state off-heap, where"
                            + " its pauses"
                            + " matter more than its throughput (which this did not measure).",
                    because));
        } else if (times.high() < 10) {
            advice.add(new Advice(
                    "Collector",
                    "Keep what lives long off-heap or in few large arrays; no collector here makes it free.",
                    because));
        }
    }

    /** Null where it is missing or was disturbed. */
    private static @Nullable Range range(Map<String, Findings> byId, String id, String series, String metric) {
        Findings found = byId.get(id);
        return found == null || !isSteady(found, series, "", metric) ? null : found.range(series, "", metric);
    }

    /** Whether it is there, and was not disturbed. */
    private static boolean isSteady(Findings found, String series, String x, String metric) {
        return found.find(series, x, metric) != null && !found.isDisturbed(series, x);
    }

    /** Null where one of the two is missing or was disturbed. */
    private static @Nullable Ratio ratio(
            Map<String, Findings> byId,
            String id,
            String metric,
            String seriesA,
            String xA,
            String seriesB,
            String xB) {
        Findings found = byId.get(id);
        return found == null || !isSteady(found, seriesA, xA, metric) || !isSteady(found, seriesB, xB, metric)
                ? null
                : found.ratio(metric, seriesA, xA, seriesB, xB);
    }
}
