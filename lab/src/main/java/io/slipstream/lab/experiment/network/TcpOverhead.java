package io.slipstream.lab.experiment.network;

import io.slipstream.lab.Card;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Verdict;
import java.time.Duration;

/** B30: what a connection for every call costs. */
public final class TcpOverhead implements Experiment {

    @Override
    public Card card() {
        return Card.of("B30", "TCP overhead", Group.NETWORK)
                .question(
                        "How much of the traffic is acknowledgements and handshakes, and what does a pooled connection"
                                + " save?")
                .reported(
                        "Bare ACKs",
                        "about 70 % of the packets from the server (measured: of all)",
                        "two laptops and a server, November 2013",
                        "new connection",
                        "",
                        "bare ACKs %")
                .reported(
                        "Handshakes, a connection for each call",
                        "17 % of the traffic",
                        "two laptops and a server, November 2013",
                        "new connection",
                        "",
                        "handshake %")
                .plot(Plot.bars("calls/s"))
                .plot(Plot.bars("bare ACKs %"))
                .plot(Plot.bars("handshake %"))
                .takes(Duration.ofSeconds(10), Duration.ofSeconds(70))
                .rule("Holds when kept connections give at least 1.3 times the calls of new ones, and handshakes are"
                        + " at least 10 % of the segments with new ones. The share of bare acknowledgements is not"
                        + " judged:"
                        + " loopback carries a message in one segment, and needs few.")
                .explanation("""
                    Three segments open a connection, three or four close it, and none of them carries a byte of
                    yours. Every few data segments the receiver answers with an acknowledgement that carries
                    nothing, unless it has data of its own to send along.

                    Keep connections, pipeline requests on them, and answer soon: a reply carries the
                    acknowledgement with it. The counters are the kernel's and count both directions; over
                    loopback one large segment replaces seven on a wire, so shares differ from those of 2011. The
                    clients wait for each answer before they call again.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        int clients = plan.count("clients", 2, 50, 100);
        // A closed connection keeps its port for a minute: rounds must not use up the 28,000 ports of a machine.
        long nanos = plan.size("ns of sending", 1_000_000, 150_000_000, 500_000_000);
        plan.add("kept connection", () -> ServerLoad.of(0, clients, true, true, nanos))
                .warmUp(ServerLoad.WARM_UP);
        plan.add("new connection", () -> ServerLoad.of(0, clients, true, false, nanos))
                .warmUp(ServerLoad.WARM_UP);
    }

    @Override
    public Verdict judge(Findings found) {
        return found.claims(
                () -> found.ratio("calls/s", "kept connection", "new connection")
                        .atLeast(1.3, "Kept against new connections:"),
                () -> found.range("new connection", "", "handshake %").atLeast(10, "Handshakes, % of the segments:"));
    }
}
