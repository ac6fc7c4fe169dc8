package io.slipstream.lab.experiment.network;

import io.slipstream.lab.Card;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Verdict;
import java.time.Duration;

/** B16: TCP_NODELAY on and off. */
public final class Nagle implements Experiment {

    @Override
    public Card card() {
        return Card.of("B16", "Nagle's algorithm", Group.NETWORK)
                .question("Clients send a header of ten bytes and a payload of 10,000, with one write or with two. Does"
                        + " their TCP_NODELAY matter?")
                .reported(
                        "On",
                        "3,884 ± 283 calls/s",
                        "two laptops and a server, 2011",
                        "header apart",
                        "TCP_NODELAY on",
                        "calls/s")
                .reported(
                        "Off",
                        "5,060 ± 75 calls/s",
                        "two laptops and a server, 2011",
                        "header apart",
                        "TCP_NODELAY off",
                        "calls/s")
                .reported(
                        "On, a call", "29 ms", "two laptops and a server, 2011", "header apart", "TCP_NODELAY on",
                                "mean call ms")
                .reported(
                        "Off, a call",
                        "20 ms",
                        "two laptops and a server, 2011",
                        "header apart",
                        "TCP_NODELAY off",
                        "mean call ms")
                .plot(Plot.bars("calls/s"))
                .plot(Plot.bars("mean call ms"))
                .plot(Plot.bars("segments/call"))
                .takes(Duration.ofSeconds(21), Duration.ofMinutes(10))
                .rule("Holds when, with the header written apart, there are at least 1.1 times as many calls with the"
                        + " option off as with it on. It cannot be refuted over loopback, which carries the payload"
                        + " in one"
                        + " segment. Calls with one write are not judged: there is nothing to hold back in them.")
                .explanation("""
                        Nagle's algorithm holds a small segment back while an earlier one is unacknowledged, so that
                        small writes leave together. TCP_NODELAY switches that off: the header leaves alone, as a
                        segment of its own. When the header leaves first and the receiver delays its acknowledgement,
                        because it waits for the rest, both wait for each other: 40 ms on Linux for every call.

                        Do the coalescing yourself: gather header and payload into one buffer (or one gathering
                        write), write once, and set TCP_NODELAY. Then neither the kernel's patience nor extra segments
                        cost anything. Loopback carries a whole message in one segment. Over a wire it is seven,
                                of which
                        only the last is small; here the payload itself is small enough to be held back behind the
                        header, so the option matters more than it does there. The clients wait for each answer,
                                so a slow
                        call is also offered less.""");
    }

    @Override
    public void plan(Plan plan) {
        int clients = plan.count("clients", 2, 100, 100);
        long nanos = plan.size("ns of sending", 1_000_000, 150_000_000, 5_000_000_000L);
        for (boolean noDelay : new boolean[] {true, false}) {
            String x = noDelay ? "TCP_NODELAY on" : "TCP_NODELAY off";
            plan.add("one write", x, () -> ServerLoad.pooled(0, clients, noDelay, nanos))
                    .warmUp(ServerLoad.WARM_UP);
            plan.add("header apart", x, () -> ServerLoad.headerApart(clients, noDelay, nanos))
                    .warmUp(ServerLoad.WARM_UP);
        }
    }

    @Override
    public Verdict judge(Findings found) {
        return found.ratio("calls/s", "header apart", "TCP_NODELAY off", "header apart", "TCP_NODELAY on")
                .atLeast(1.1, "Header apart, off against on:")
                .orCannotTell("Over loopback the whole payload is one segment, which is held back behind the"
                        + " header; over a"
                        + " wire it is seven, and six of them leave at once.");
    }
}
