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
                        "two laptops and a server, November 2013",
                        "one write",
                        "TCP_NODELAY on",
                        "calls/s")
                .reported(
                        "Off",
                        "5,060 ± 75 calls/s",
                        "two laptops and a server, November 2013",
                        "one write",
                        "TCP_NODELAY off",
                        "calls/s")
                .reported(
                        "On, a call",
                        "29 ms",
                        "two laptops and a server, November 2013",
                        "one write",
                        "TCP_NODELAY on",
                        "mean call ms")
                .reported(
                        "Off, a call",
                        "20 ms",
                        "two laptops and a server, November 2013",
                        "one write",
                        "TCP_NODELAY off",
                        "mean call ms")
                .plot(Plot.bars("calls/s"))
                .plot(Plot.bars("mean call ms"))
                .plot(Plot.bars("segments/call"))
                .takes(Duration.ofSeconds(19), Duration.ofMinutes(10))
                .reported(
                        "On, time in connect",
                        "20 ms",
                        "two laptops and a server, November 2013",
                        "one write",
                        "TCP_NODELAY on",
                        "connect ms")
                .reported(
                        "Off, time in connect",
                        "13 ms",
                        "two laptops and a server, November 2013",
                        "one write",
                        "TCP_NODELAY off",
                        "connect ms")
                .plot(Plot.bars("connect ms"))
                .leavesToFull("clients that keep their connections")
                .rule("Holds when clients that connect for each call and write a message at once make at least 1.1"
                        + " times as many calls with the option off as with it on (reported: 1.3).")
                .explanation("""
                    Nagle's algorithm holds a small segment back while an earlier one is unacknowledged, so that
                    small writes leave together. TCP_NODELAY switches that off: the header leaves alone, as a
                    segment of its own. When the header leaves first and the receiver delays its acknowledgement,
                    because it waits for the rest, both wait for each other: 40 ms on Linux for every call.

                    Do the coalescing yourself: gather header and payload into one buffer (or one gathering write),
                    write once, and set TCP_NODELAY. Then neither the kernel's patience nor extra segments cost
                    anything. Loopback carries a whole message in one segment. Over a wire it is seven, of which
                    only the last is small; here the payload itself is small enough to be held back behind the
                    header, so the option matters more than it does there. The article's clients most likely
                    connect for each call: it tells the time in connect. The clients wait for each answer, so a
                    slow call is also offered less.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        int clients = plan.count("clients", 2, 100, 100);
        long nanos = plan.size("ns of sending", 1_000_000, 100_000_000, 5_000_000_000L);
        for (boolean noDelay : new boolean[] {true, false}) {
            String x = noDelay ? "TCP_NODELAY on" : "TCP_NODELAY off";
            plan.add("one write", x, () -> ServerLoad.of(0, clients, noDelay, false, nanos))
                    .warmUp(ServerLoad.WARM_UP);
            plan.add("header apart", x, () -> ServerLoad.headerApart(clients, noDelay, false, nanos))
                    .warmUp(ServerLoad.WARM_UP);
            if (plan.isComplete()) {
                plan.add("one write, kept connection", x, () -> ServerLoad.of(0, clients, noDelay, true, nanos))
                        .warmUp(ServerLoad.WARM_UP);
                plan.add(
                                "header apart, kept connection",
                                x,
                                () -> ServerLoad.headerApart(clients, noDelay, true, nanos))
                        .warmUp(ServerLoad.WARM_UP);
            }
        }
    }

    @Override
    public Verdict judge(Findings found) {
        return found.ratio("calls/s", "one write", "TCP_NODELAY off", "one write", "TCP_NODELAY on")
                .atLeast(1.1, "One write, off against on:");
    }
}
