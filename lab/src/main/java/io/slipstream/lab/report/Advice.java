package io.slipstream.lab.report;

import io.slipstream.lab.Figure;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Ratio;
import io.slipstream.lab.Sample;
import io.slipstream.lab.run.ExperimentResult;
import io.slipstream.lab.run.RunResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the findings mean for a service on this machine, and the settings of Slipstream that follow. Each piece is drawn
 * from the data by a stated rule; it is left out where its data is missing, was disturbed, or has a spread that reaches
 * across the rule's line.
 *
 * @param topic what it is about
 * @param text what to do
 * @param because the figures that say so
 */
public record Advice(String topic, String text, String because) {

    /** The advice that a run supports, for its first JVM. */
    public static List<Advice> from(RunResult run) {
        Map<String, Findings> byId = new LinkedHashMap<>();
        for (ExperimentResult result : run.experiments()) {
            Findings found = result.findings();
            if (!found.isDisturbed()) {
                byId.putIfAbsent(result.id(), found);
            }
        }
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
        Sample spin = find(byId, "B3", "Java", "", "ns/op");
        Sample park = find(byId, "B4", "condition, pinned", "", "ns/op");
        if (spin == null || park == null) {
            return;
        }
        Ratio gain = Ratio.of(park, spin);
        String because = "A round trip takes " + Figure.show(spin.median()) + " ns spinning and "
                + Figure.show(park.median()) + " ns through a condition (B3, B4), on " + cpus + " processors.";
        if (cpus <= 3 || gain.high() < 2) {
            advice.add(new Advice(
                    "Wait strategy",
                    (cpus <= 3
                                    ? "A spinning thread takes the place of a working one here: let waiting threads back"
                                            + " off and park, and run several stages on one thread"
                                    : "Spinning gains little here: let waiting threads back off and park")
                            + ". Service: ServiceConfig.withWaiting(WaitStrategy.backoff())"
                            + (cpus <= 3 ? " and withThreading(Threading." + (cpus == 1 ? "ONE" : "TWO") + ")." : "."),
                    because));
        } else if (gain.low() > 2) {
            advice.add(new Advice(
                    "Wait strategy",
                    "Spin on the one or two threads whose latency matters, each on a core of its own, and back off"
                            + " everywhere else: WaitStrategy.busySpin() for these, WaitStrategy.backoff() for the rest;"
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
                    "Padding shows little here, which is no reason to drop it: the next machine may differ.",
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

    private static void buffers(Map<String, Findings> byId, List<Advice> advice) {
        Findings found = byId.get("B21");
        if (found == null) {
            return;
        }
        double most = found.xs("write MB/s").stream()
                .map(x -> found.find("by buffer size", x, "write MB/s"))
                .filter(Objects::nonNull)
                .mapToDouble(Sample::median)
                .max()
                .orElse(0);
        // The smallest that gives nine tenths of the best: more only displaces other things from the caches.
        found.xs("write MB/s").stream()
                .filter(x -> {
                    Sample sample = found.find("by buffer size", x, "write MB/s");
                    return sample != null && sample.median() >= 0.9 * most;
                })
                .mapToLong(Long::parseLong)
                .min()
                .ifPresent(size -> advice.add(new Advice(
                        "Buffer size",
                        "Write and read in pieces of " + Figure.bytes(size) + " or more. A journal's batch buffer is far"
                                + " above that by default; JournalConfig.withBatchBytes(" + wholeBlocks(size)
                                + ") is the smallest that does not slow it down.",
                        "It is the smallest size that reaches nine tenths of the best of " + Figure.show(most)
                                + " MB/s (B21).")));
    }

    /** A batch buffer has whole blocks of 4 KB. */
    private static long wholeBlocks(long bytes) {
        return Math.max(4_096, (bytes + 4_095) / 4_096 * 4_096);
    }

    private static void files(Map<String, Findings> byId, List<Advice> advice) {
        Findings found = byId.get("B8");
        Sample channel = find(byId, "B8", "FileChannel", "", "write MB/s");
        if (found == null || channel == null) {
            return;
        }
        String best = "FileChannel";
        for (String way : found.series("write MB/s")) {
            Sample sample = found.find(way, "", "write MB/s");
            Sample bestSoFar = found.get(best, "", "write MB/s");
            if (sample != null && sample.median() > bestSoFar.median()) {
                best = way;
            }
        }
        Sample most = found.get(best, "", "write MB/s");
        boolean amongTheFastest = channel.high() >= 0.8 * most.low();
        advice.add(new Advice(
                "File IO",
                amongTheFastest
                        ? "Write sequential files through a FileChannel, as the journal does by default: it is among the"
                                + " fastest here, and reports errors where they happen."
                        : "The fastest way to write here is '" + best + "'; the journal's FileChannel gives up some"
                                + " speed for errors that can be handled."
                                + (best.equals("mapped")
                                        ? " Where that does not matter, JournalConfig.withWriteMode(WriteMode.MAPPED)."
                                        : ""),
                (best.equals("FileChannel") ? "It writes " : best + " writes " + Figure.show(most.median())
                                + " MB/s, FileChannel ")
                        + Figure.show(channel.median()) + " MB/s (B8)."));
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
                            + " EventHandler) or when the buffer is full. Set no timer. The ring bounds a batch, so let it"
                            + " hold a burst: ServiceConfig.withRings.",
                    because));
        } else if (gain.high() < 1.1) {
            advice.add(new Advice(
                    "Batch size",
                    "Batching gains little with messages this cheap to send; it will where a system call or a force"
                            + " belongs to each.",
                    because));
        }
    }

    private static void pinning(Map<String, Findings> byId, int cpus, List<Advice> advice) {
        Ratio gain = ratio(byId, "B4", "ns/op", "condition, free", "", "condition, pinned", "");
        if (gain == null) {
            return;
        }
        String because = "Unpinned hand-overs take " + Figure.show(gain.median()) + " times as long as pinned ones (B4), on "
                + cpus + " processors.";
        if (cpus <= 2) {
            advice.add(new Advice(
                    "Pinning",
                    "Do not pin a service on so few processors: the kernel, the compiler and the collector need to run"
                            + " somewhere.",
                    because));
        } else if (gain.low() > 1.1) {
            advice.add(new Advice(
                    "Pinning",
                    "Pin the threads of the main flow to cores that share a cache: PinPlan.onePerCore(topology); M1 shows"
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
                    "Use -XX:+UseZGC for a service that keeps many small objects, or keep its state off-heap.",
                    because));
        } else if (times.high() < 10) {
            advice.add(new Advice(
                    "Collector",
                    "Keep what lives long off-heap or in few large arrays; no collector here makes it free.",
                    because));
        }
    }

    private static @Nullable Sample find(
            Map<String, Findings> byId, String id, String series, String x, String metric) {
        Findings found = byId.get(id);
        return found == null ? null : found.find(series, x, metric);
    }

    /** Null where one of the two is missing. */
    private static @Nullable Ratio ratio(
            Map<String, Findings> byId,
            String id,
            String metric,
            String seriesA,
            String xA,
            String seriesB,
            String xB) {
        Findings found = byId.get(id);
        return found == null || found.find(seriesA, xA, metric) == null || found.find(seriesB, xB, metric) == null
                ? null
                : found.ratio(metric, seriesA, xA, seriesB, xB);
    }
}
