package io.slipstream.lab.report;

import io.slipstream.lab.Figure;
import io.slipstream.lab.Findings;
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
 * What the findings mean for a service on this machine. Each piece is drawn from the data by a stated rule; a piece
 * whose data is missing is left out.
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
            byId.putIfAbsent(result.id(), result.findings());
        }
        List<Advice> advice = new ArrayList<>();
        waiting(byId, run.machine().cpus(), advice);
        padding(byId, advice);
        counters(byId, advice);
        buffers(byId, advice);
        files(byId, advice);
        batching(byId, advice);
        pinning(byId, run.machine().cpus(), advice);
        collector(byId, advice);
        return advice;
    }

    private static void waiting(Map<String, Findings> byId, int cpus, List<Advice> advice) {
        Sample spin = find(byId, "B3", "Java", "", "ns/op");
        Sample park = find(byId, "B4", "condition, pinned", "", "ns/op");
        if (spin == null || park == null) {
            return;
        }
        String because = "A round trip takes " + Figure.show(spin.median()) + " ns spinning and "
                + Figure.show(park.median()) + " ns through a condition (B3, B4).";
        advice.add(
                cpus <= 3
                        ? new Advice(
                                "Wait strategy",
                                "Let waiting threads back off and park (WaitStrategy.backoff()), and run several"
                                        + " duties on one worker: with " + cpus
                                        + " processors a spinning thread takes the place of a working one.",
                                because)
                        : new Advice(
                                "Wait strategy",
                                "Spin (WaitStrategy.busySpin()) on the one or two threads whose latency matters, each on a"
                                        + " core of its own; back off and park everywhere else.",
                                because));
    }

    private static void padding(Map<String, Findings> byId, List<Advice> advice) {
        Sample near = find(byId, "B2", "side by side", "2", "ns/op");
        Sample padded = find(byId, "B2", "padded", "2", "ns/op");
        if (near != null && padded != null) {
            double times = near.median() / padded.median();
            advice.add(new Advice(
                    "Padding",
                    times > 1.3
                            ? "Pad what different threads write; Slipstream's sequences, cursors and counters are."
                            : "Padding shows little here, which is no reason to drop it: the next machine may differ.",
                    "Neighbours cost " + Figure.show(times) + " times as much as padded counters (B2)."));
        }
    }

    private static void counters(Map<String, Findings> byId, List<Advice> advice) {
        Sample plain = find(byId, "B6", "plain", "one thread", "ns/op");
        Sample shared = find(byId, "B6", "CAS", "two threads", "ns/op");
        if (plain != null && shared != null) {
            advice.add(new Advice(
                    "Writers",
                    "Give every counter and every queue end one writer, and add up when somebody asks.",
                    "An increment costs " + Figure.show(plain.median()) + " ns alone and "
                            + Figure.show(shared.median()) + " ns shared (B6)."));
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
                        "Write and read in pieces of " + Figure.bytes(size) + ".",
                        "It is the smallest size that reaches nine tenths of the best of " + Figure.show(most)
                                + " MB/s (B21).")));
    }

    private static void files(Map<String, Findings> byId, List<Advice> advice) {
        Findings found = byId.get("B8");
        if (found == null) {
            return;
        }
        String best = "";
        double most = 0;
        for (String way : found.series("write MB/s")) {
            Sample sample = found.find(way, "", "write MB/s");
            if (sample != null && sample.median() > most) {
                most = sample.median();
                best = way;
            }
        }
        Sample channel = find(byId, "B8", "FileChannel", "", "write MB/s");
        if (!best.isEmpty() && channel != null) {
            advice.add(new Advice(
                    "File IO",
                    channel.median() >= 0.8 * most
                            ? "Write sequential files through FileChannel, as Slipstream's journal does: it is among"
                                    + " the fastest and reports errors where they happen."
                            : "The fastest way to write is " + best
                                    + "; the journal's FileChannel gives up some speed for errors that can be handled.",
                    best + " writes " + Figure.show(most) + " MB/s, FileChannel " + Figure.show(channel.median())
                            + " (B8)."));
        }
    }

    private static void batching(Map<String, Findings> byId, List<Advice> advice) {
        Sample single = find(byId, "B11", "one by one", "", "mean µs");
        Sample batched = find(byId, "B11", "smart batching", "", "mean µs");
        if (single != null && batched != null) {
            advice.add(new Advice(
                    "Batch size",
                    "Do not choose one: send whatever has queued up, and flush at the end of a batch or when the"
                            + " buffer is full. Set no timer.",
                    "The mean latency of a burst falls from " + Figure.show(single.median()) + " to "
                            + Figure.show(batched.median()) + " µs (B11)."));
        }
    }

    private static void pinning(Map<String, Findings> byId, int cpus, List<Advice> advice) {
        Sample pinned = find(byId, "B4", "condition, pinned", "", "ns/op");
        Sample free = find(byId, "B4", "condition, free", "", "ns/op");
        if (pinned != null && free != null) {
            double gain = free.median() / pinned.median();
            String because = "Unpinned hand-overs take " + Figure.show(gain) + " times as long as pinned ones (B4).";
            advice.add(
                    cpus <= 2
                            ? new Advice(
                                    "Pinning",
                                    "Do not pin on two processors: the kernel, the compiler and the collector need to"
                                            + " run somewhere.",
                                    because)
                            : new Advice(
                                    "Pinning",
                                    gain > 1.1
                                            ? "Pin the threads of the main flow to cores that share a cache."
                                            : "Pinning gains little here; leave the scheduler its freedom unless"
                                                    + " jitter matters more than throughput.",
                                    because));
        }
    }

    private static void collector(Map<String, Findings> byId, List<Advice> advice) {
        Findings found = byId.get("B29");
        if (found == null || found.xs("pause ms").isEmpty()) {
            return;
        }
        String largest = found.xs("pause ms").get(found.xs("pause ms").size() - 1);
        Sample serial = found.find("serial", largest, "pause ms");
        Sample concurrent = found.find("ZGC", largest, "pause ms");
        if (serial != null && concurrent != null) {
            advice.add(new Advice(
                    "Collector",
                    concurrent.median() < serial.median() / 10
                            ? "Use -XX:+UseZGC for a service that keeps many small objects, or keep them off-heap."
                            : "Keep what lives long off-heap or in few large arrays; no collector here makes it free.",
                    "With " + largest + " MB alive the serial collector stops for " + Figure.show(serial.median())
                            + " ms, ZGC for " + Figure.show(concurrent.median()) + " ms (B29)."));
        }
    }

    private static @Nullable Sample find(
            Map<String, Findings> byId, String id, String series, String x, String metric) {
        Findings found = byId.get(id);
        return found == null ? null : found.find(series, x, metric);
    }
}
