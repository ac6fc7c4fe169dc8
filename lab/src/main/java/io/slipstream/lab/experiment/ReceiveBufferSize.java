package io.slipstream.lab.experiment;

import io.slipstream.lab.Card;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Verdict;
import java.time.Duration;

/** B15: the single-threaded server with receive buffers of all sizes. */
final class ReceiveBufferSize implements Experiment {
    private static final int[] SIZES = {512, 2_048, 5_000, 16_384, 65_536};

    @Override
    public Card card() {
        return Card.of("B15", "Receive buffer size", Group.NETWORK)
                .question("A hundred clients send messages of 10,000 bytes to a single-threaded server. How does its"
                        + " receive buffer (SO_RCVBUF) matter?")
                .reported(
                        "Sweet spot",
                        "about 5,000 bytes, 6,000 calls/s",
                        "two laptops and a server, 2011",
                        "server",
                        5_000,
                        "calls/s")
                .reported("Too small", "cripples throughput", "2011", "server", 512, "calls/s")
                .reported("Large", "occasional resets, bufferbloat at low load", "2011", "server", 65_536, "calls/s")
                .plot(Plot.lines("calls/s", "SO_RCVBUF, bytes"))
                .plot(Plot.lines("mean call ms", "SO_RCVBUF, bytes"))
                .takes(Duration.ofSeconds(22), Duration.ofMinutes(16))
                .rule("Holds when 512 bytes give at most 0.7 of the calls of 5,000, and 65,536 at most 1.1 of them.")
                .explanation("""
                        The receive buffer is the window that TCP offers. If it is smaller than a message, the sender
                        must stop in its midst and wait for the window to open. Much larger than needed, it lets data
                        queue where nobody sees it and every call waits behind it.

                        Linux doubles what is asked for, raises it to a floor of about 2 KB, and tunes the size by
                        itself when nothing is asked. Loopback has no distance, so the window costs less here than
                        over a wire: take this for the shape, and measure on the real path.""");
    }

    @Override
    public void plan(Plan plan) {
        int clients = plan.count(2, 100, 100);
        long nanos = plan.size(1_000_000, 300_000_000, 5_000_000_000L);
        for (int size : SIZES) {
            plan.add("server", size, () -> ServerLoad.pooled(size, clients, true, nanos));
        }
    }

    @Override
    public Verdict judge(Findings found) {
        return Verdict.all(
                found.ratio("calls/s", "server", 512, "server", 5_000).atMost(0.7, "512 bytes against 5,000:"),
                found.ratio("calls/s", "server", 65_536, "server", 5_000).atMost(1.1, "65,536 bytes against 5,000:"));
    }
}
