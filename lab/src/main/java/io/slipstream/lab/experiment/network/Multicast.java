package io.slipstream.lab.experiment.network;

import io.slipstream.lab.Card;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Verdict;
import java.time.Duration;

/** B12: datagrams from one process to another through a multicast group, pinned and not. */
public final class Multicast implements Experiment {
    private static final String MACHINE = "two JVMs, dummy interface, July 2011";

    @Override
    public Card card() {
        return Card.of("B12", "Pinned and unpinned multicast", Group.NETWORK)
                .question("Two processes exchange IP multicast datagrams. Does pinning them make throughput higher and"
                        + " steadier?")
                .reported("Not pinned", "moves in unpredictable steps", MACHINE, "free", "", "messages/s")
                .reported("Pinned", "flat, and always the highest", MACHINE, "pinned", "", "messages/s")
                .plot(Plot.bars("messages/s"))
                .plot(Plot.bars("sent messages/s"))
                .plot(Plot.bars("unsteadiness %"))
                .plot(Plot.lines("messages/s in an interval", "interval").linear())
                .takes(Duration.ofSeconds(8), Duration.ofMinutes(17))
                .needsCpus(4)
                .regardlessOfDistance()
                .rule("Holds when as many messages or more are received pinned as free (within 5 %), and their"
                        + " unsteadiness (standard deviation over mean of short intervals) is not larger.")
                .explanation("""
                    A scheduler that moves a process makes it leave its caches behind, and may put sender and
                    receiver on one core, where they take turns, or apart, where they run together: steps in
                    throughput that have nothing to do with the program. Pinning takes the choice away.

                    As in the article, two JVMs send and receive, the receiver blocks, and both count. What was
                    sent and not received was dropped where the receiver's buffer was full. The article's dummy
                    interface is used where there is one (ip link add dummy0 type dummy; then an address, multicast
                    on and up); elsewhere the first interface that can multicast.

                    Pin the few threads that matter, to cores that share a cache, and keep everything else off
                    them. With as many busy threads as processors there is nowhere for the rest to go, which is
                    why two processors are too few to profit.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        int intervals = plan.count("intervals", 2, 10, 20);
        long nanos = plan.size("ns an interval", 500_000, 20_000_000, 1_000_000_000);
        plan.add("pinned", () -> new MulticastProcesses(intervals, nanos, true)).needsPinning();
        plan.add("free", () -> new MulticastProcesses(intervals, nanos, false));
    }

    @Override
    public Verdict judge(Findings found) {
        return found.claims(
                () -> found.ratio("messages/s", "pinned", "free").atLeast(0.95, "Pinned against free:"),
                () -> found.ratio("unsteadiness %", "pinned", "free").atMost(1, "Unsteadiness, pinned against free:"));
    }
}
