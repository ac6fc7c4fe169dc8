package io.slipstream.lab.experiment.data;

import io.slipstream.lab.Card;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Round;
import io.slipstream.lab.Verdict;
import io.slipstream.lab.tool.Split;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** B28: parts of a text into a new collection for each call, or into one of the caller's. */
public final class SplittingText implements Experiment {
    private static final String LINE = "2026-11-20,EURUSD,1.08514,1.08517,3000000,2000000,LDN,firm";
    private static final int PARTS = 8;

    @Override
    public Card card() {
        return Card.of("B28", "Split into the caller's collection", Group.DATA)
                .question(
                        "Does it help to hand a method the collection it is to fill, instead of getting a new one with"
                                + " each call?")
                .reported(
                        "Reuse",
                        "less garbage, fewer cache misses",
                        "July 2011",
                        "into the caller's list",
                        "",
                        "bytes/op")
                .plot(Plot.bars("ns/op"))
                .plot(Plot.bars("bytes/op"))
                .leavesToFull("String.split")
                .takes(Duration.ofSeconds(11), Duration.ofMinutes(3))
                .rule("Holds when filling the caller's list allocates at most 0.95 of what a new list for each call"
                        + " does, and takes at most 1.05 of its time.")
                .explanation("""
                    A method that fills what it is given leaves the choice to its caller: reuse a list, bound it,
                    sort while filling, or only count. The list is no longer garbage; the parts still are, because
                    a String is a copy.

                    To get rid of those too, hand out positions instead of strings, or parse from the bytes. That
                    is what Slipstream's gateways do with the frames that they read.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        plan.addBenchmark("a new list each", Ways.class, "newList").warmUp(Duration.ofSeconds(1));
        plan.addBenchmark("into the caller's list", Ways.class, "callersList").warmUp(Duration.ofSeconds(1));
        if (plan.isComplete()) {
            plan.addBenchmark("String.split", Ways.class, "split").warmUp(Duration.ofSeconds(1));
        }
    }

    @Override
    public Verdict judge(Findings found) {
        return found.claims(
                () -> found.ratio("bytes/op", "into the caller's list", "a new list each")
                        .atMost(0.95, "Bytes, the caller's list against new ones:"),
                () -> found.ratio("ns/op", "into the caller's list", "a new list each")
                        .atMost(1.05, "Time:"));
    }

    /** The same line again and again. */
    @State(Scope.Thread)
    public static class Ways {
        private final List<String> own = new ArrayList<>();
        private String line = LINE;

        @Setup
        public void check() {
            List<String> expected = split();
            Round.expect("parts", PARTS, expected.size());
            Round.expect("the same parts", 1, expected.equals(newList()) && expected.equals(callersList()) ? 1 : 0);
        }

        @Benchmark
        public List<String> split() {
            return List.of(line.split(",", -1));
        }

        @Benchmark
        public List<String> newList() {
            List<String> parts = new ArrayList<>();
            Split.into(parts, line, ',');
            return parts;
        }

        @Benchmark
        public List<String> callersList() {
            own.clear();
            Split.into(own, line, ',');
            return own;
        }
    }
}
