package io.slipstream.lab.experiment;

import io.slipstream.lab.Card;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Verdict;
import java.time.Duration;

/** B16: TCP_NODELAY on and off. */
final class Nagle implements Experiment {

    @Override
    public Card card() {
        return Card.of("B16", "Nagle's algorithm", Group.NETWORK)
                .question("Clients write a small header and then a payload of 10,000 bytes. Does their TCP_NODELAY"
                        + " matter?")
                .reported(
                        "On",
                        "3,884 ± 283 calls/s, 29 ms",
                        "two laptops and a server, 2011",
                        "TCP_NODELAY",
                        "on",
                        "calls/s")
                .reported(
                        "Off",
                        "5,060 ± 75 calls/s, 20 ms",
                        "two laptops and a server, 2011",
                        "TCP_NODELAY",
                        "off",
                        "calls/s")
                .plot(Plot.bars("calls/s"))
                .plot(Plot.bars("segments/call"))
                .takes(Duration.ofSeconds(9), Duration.ofMinutes(4))
                .rule("Holds when there are at least 1.1 times as many calls with the option off as with it on.")
                .explanation("""
                        Nagle's algorithm holds a small segment back while an earlier one is unacknowledged, so that
                        small writes leave together. TCP_NODELAY switches that off: the header leaves alone, as a
                        segment of its own. Held back with a delayed acknowledgement on the other side, a call can
                        wait for 40 ms.

                        Do the coalescing yourself: gather header and payload into one buffer (or one gathering
                        write), write once, and set TCP_NODELAY. Then neither the kernel's patience nor extra segments
                        cost anything. Loopback carries 64 KB in one segment and acknowledges at once, so the
                        difference over a wire is larger than here.""");
    }

    @Override
    public void plan(Plan plan) {
        int clients = plan.count(2, 100, 100);
        long nanos = plan.size(1_000_000, 300_000_000, 5_000_000_000L);
        plan.add("TCP_NODELAY", "on", () -> ServerLoad.pooled(0, clients, true, nanos));
        plan.add("TCP_NODELAY", "off", () -> ServerLoad.pooled(0, clients, false, nanos));
    }

    @Override
    public Verdict judge(Findings found) {
        return found.ratio("calls/s", "TCP_NODELAY", "off", "TCP_NODELAY", "on").atLeast(1.1, "Off against on:");
    }
}
