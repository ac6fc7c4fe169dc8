package io.slipstream.lab.experiment;

import io.slipstream.lab.Card;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Verdict;
import io.slipstream.lab.Workload;
import io.slipstream.lab.tool.Split;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** B28: parts of a text into a new collection for each call, or into one of the caller's. */
final class SplittingText implements Experiment {
    private static final String LINE = "2026-11-20,EURUSD,1.08514,1.08517,3000000,2000000,LDN,firm";
    private static final int PARTS = 8;

    @Override
    public Card card() {
        return Card.of("B28", "Split into the caller's collection", Group.DATA)
                .question(
                        "Does it help to hand a method the collection it is to fill, instead of getting a new one with"
                                + " each call?")
                .reported("Reuse", "less garbage, fewer cache misses", "2012", "into the caller's list", "", "bytes/op")
                .plot(Plot.bars("ns/op"))
                .plot(Plot.bars("bytes/op"))
                .takes(Duration.ofSeconds(8), Duration.ofMinutes(4))
                .rule("Holds when filling the caller's list allocates at most 0.95 of what a new list for each call"
                        + " does, and takes at most 1.05 of its time.")
                .explanation("""
                        A method that fills what it is given leaves the choice to its caller: reuse a list, bound it,
                        sort while filling, or only count. The list is no longer garbage; the parts still are, because
                        a String is a copy.

                        To get rid of those too, hand out positions instead of strings, or parse from the bytes. That
                        is what Slipstream's gateways do with the frames that they read.""");
    }

    @Override
    public void plan(Plan plan) {
        int lines = plan.count(2, 400_000, 20_000_000);
        plan.add("String.split", () -> split(lines, () -> List.of(LINE.split(",", -1))));
        plan.add(
                "a new list each",
                () -> split(lines, () -> {
                    List<String> parts = new ArrayList<>();
                    Split.into(parts, LINE, ',');
                    return parts;
                }));
        List<String> own = new ArrayList<>();
        plan.add(
                "into the caller's list",
                () -> split(lines, () -> {
                    own.clear();
                    Split.into(own, LINE, ',');
                    return own;
                }));
    }

    @Override
    public Verdict judge(Findings found) {
        return Verdict.all(
                found.ratio("bytes/op", "into the caller's list", "a new list each")
                        .atMost(0.95, "Bytes, the caller's list against new ones:"),
                found.ratio("ns/op", "into the caller's list", "a new list each")
                        .atMost(1.05, "Time:"));
    }

    private static Workload split(int lines, Supplier<List<String>> way) {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        return round -> {
            long parts = 0;
            long bytes = threads.getCurrentThreadAllocatedBytes();
            long start = System.nanoTime();
            for (int i = 0; i < lines; i++) {
                parts += way.get().size();
            }
            round.nanosPerOp(System.nanoTime() - start, lines);
            round.record("bytes/op", (double) (threads.getCurrentThreadAllocatedBytes() - bytes) / lines);
            round.check("parts", (long) PARTS * lines, parts);
        };
    }
}
