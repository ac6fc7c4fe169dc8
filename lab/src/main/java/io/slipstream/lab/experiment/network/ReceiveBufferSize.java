package io.slipstream.lab.experiment.network;

import io.slipstream.lab.Card;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Round;
import io.slipstream.lab.Verdict;
import io.slipstream.lab.Workload;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** B15: the single-threaded server with receive buffers of all sizes, under much load and under little. */
public final class ReceiveBufferSize implements Experiment {
    private static final String LOOPBACK = "Over loopback there is no distance for a window to bridge.";
    private static final int[] SIZES = {512, 2_048, 5_000, 16_384, 65_536};

    @Override
    public Card card() {
        return Card.of("B15", "Receive buffer size", Group.NETWORK)
                .question("A hundred clients, or one or two, send messages of 10,000 bytes to a single-threaded server."
                        + " How does its receive buffer (SO_RCVBUF) matter?")
                .reported(
                        "About 5,000 bytes",
                        "the sweet spot",
                        "two laptops and a server, 2011",
                        "100 clients",
                        5_000,
                        "calls/s")
                .reported("Too small", "cripples throughput", "2011", "100 clients", 512, "calls/s")
                .reported("Large", "occasional resets", "2011", "100 clients", 65_536, "errors")
                .reported("Large, one client", "850 calls/s", "2011", "1 client", 65_536, "calls/s")
                .reported("Large, a second client", "2,680 calls/s", "2011", "2 clients", 65_536, "calls/s")
                .plot(Plot.lines("calls/s", "SO_RCVBUF, bytes"))
                .plot(Plot.lines("sd of calls/s", "SO_RCVBUF, bytes"))
                .plot(Plot.lines("mean call ms", "SO_RCVBUF, bytes"))
                .takes(Duration.ofSeconds(19), Duration.ofMinutes(36))
                .rule("Holds when, with a hundred clients, 512 bytes give at most 0.7 of the calls of 5,000, 2,048"
                        + " no more,"
                        + " and 16,384 and 65,536 at most 1.1 of them; and, with 65,536, two clients at least 2.5"
                        + " times the"
                        + " calls of one (reported: 3.2). What is about more than 5,000 bytes cannot be refuted"
                        + " over loopback."
                        + " Resets are shown, and not judged: they were occasional.")
                .explanation("""
                        The receive buffer is the window that TCP offers. If it is smaller than a message, the sender
                        must stop in its midst and wait for the window to open. Much larger than needed, it lets data
                        queue where nobody sees it and every call waits behind it.

                        Linux doubles what is asked for, raises it to a floor of about 2 KB, and tunes the size by
                        itself when nothing is asked. Loopback has no distance, so a large window costs less here than
                        over a wire: take this for the shape, and measure on the real path.

                        The clients wait for each answer before they send again, so these are rates of a closed
                        loop: a slow server is offered less. The reported 850 calls/s alone and 2,680 with a second
                        client stand beside our series of one and of two client threads. That is our reading: each
                        client of the original had 100 threads.""");
    }

    @Override
    public void plan(Plan plan) {
        long nanos = plan.size("ns of sending", 2_000_000, 70_000_000, 5_000_000_000L);
        int many = plan.count("clients at most", 3, 100, 100);
        plan.add("100 clients", () -> new Loads(many, nanos)).warmUp(ServerLoad.WARM_UP);
        plan.add("1 client", () -> new Loads(1, nanos)).warmUp(ServerLoad.WARM_UP);
        plan.add("2 clients", () -> new Loads(2, nanos)).warmUp(ServerLoad.WARM_UP);
    }

    @Override
    public Verdict judge(Findings found) {
        return found.claims(
                () -> found.ratio("calls/s", "100 clients", 512, "100 clients", 5_000)
                        .atMost(0.7, "512 bytes against 5,000:"),
                () -> found.ratio("calls/s", "100 clients", 2_048, "100 clients", 5_000)
                        .atMost(1, "2,048 bytes against 5,000:"),
                () -> noBetter(found, 16_384),
                () -> noBetter(found, 65_536),
                () -> found.ratio("calls/s", "2 clients", 65_536, "1 client", 65_536)
                        .atLeast(2.5, "65,536 bytes, two clients against one:")
                        .orCannotTell(LOOPBACK));
    }

    private static Verdict noBetter(Findings found, int size) {
        return found.ratio("calls/s", "100 clients", size, "100 clients", 5_000)
                .atMost(1.1, String.format(Locale.ROOT, "%,d bytes against 5,000:", size))
                .orCannotTell(LOOPBACK);
    }

    /** A server for each size; in a round each has its turn. */
    private static final class Loads implements Workload {
        private final Map<Integer, ServerLoad> bySize = new LinkedHashMap<>();

        Loads(int clients, long nanos) throws IOException {
            for (int size : SIZES) {
                bySize.put(size, ServerLoad.pooled(size, clients, true, nanos));
            }
        }

        @Override
        public void run(Round round) throws Exception {
            for (Map.Entry<Integer, ServerLoad> load : bySize.entrySet()) {
                load.getValue().run(round, load.getKey());
            }
        }

        @Override
        public void close() {
            bySize.values().forEach(ServerLoad::close);
        }
    }
}
