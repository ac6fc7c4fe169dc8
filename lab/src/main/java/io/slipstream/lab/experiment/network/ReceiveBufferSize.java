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
    private static final String MACHINE = "two laptops and a server, November and December 2013";

    /** Left to the system: about 128 KB on the Linux of the article. */
    private static final int DEFAULT = 131_072;

    private static final int[] SIZES = {512, 1_024, 2_048, 4_096, 5_000, 8_192, 16_384, 32_768, 65_536, DEFAULT};

    @Override
    public Card card() {
        return Card.of("B15", "Receive buffer size", Group.NETWORK)
                .question("One or two hundred clients send messages of 10,000 bytes to a single-threaded server."
                        + " How does its receive buffer (SO_RCVBUF) matter?")
                .reported("About 5,000 bytes", "the sweet spot", MACHINE, "100 clients", 5_000, "calls/s")
                .reported("Too small", "cripples throughput", MACHINE, "100 clients", 512, "calls/s")
                .reported("Large", "occasional resets", MACHINE, "100 clients", 65_536, "errors")
                .reported(
                        "Default size, one machine of 100 threads",
                        "850 calls/s",
                        MACHINE,
                        "100 clients",
                        DEFAULT,
                        "calls/s")
                .reported("Default size, two machines", "2,680 calls/s", MACHINE, "200 clients", DEFAULT, "calls/s")
                .reported("8,192 bytes", "where trouble begins", MACHINE, "100 clients", 8_192, "calls/s")
                .plot(Plot.lines("calls/s", "SO_RCVBUF, bytes"))
                .plot(Plot.lines("sd of calls/s", "SO_RCVBUF, bytes"))
                .plot(Plot.lines("mean call ms", "SO_RCVBUF, bytes"))
                .leavesToFull("clients that keep their connections")
                .takes(Duration.ofSeconds(13), Duration.ofMinutes(36))
                .rule("Holds when, with a hundred clients, 512 bytes give at most 0.7 of the calls of 5,000, 2,048"
                        + " no more,"
                        + " and 16,384 and 65,536 at most 1.1 of them; and, with the default size"
                        + " (shown as 128 KB), 200"
                        + " clients at least 2.5 times the calls of 100 (reported: 3.2). What is about more than 5,000"
                        + " bytes cannot be refuted"
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
                    loop: a slow server is offered less. Clients connect for each
                    call, as those of the articles most likely do; each of their machines had 100 threads.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        long nanos = plan.size("ns of sending", 2_000_000, 40_000_000, 5_000_000_000L);
        int many = plan.count("clients at most", 3, 100, 100);
        int twice = Math.toIntExact(plan.size(4, 200, 200));
        plan.add("100 clients", () -> new Loads(many, false, nanos)).warmUp(ServerLoad.WARM_UP);
        plan.add("200 clients", () -> new Loads(twice, false, nanos)).warmUp(ServerLoad.WARM_UP);
        if (plan.isComplete()) {
            plan.add("100 clients, kept connection", () -> new Loads(many, true, nanos))
                    .warmUp(ServerLoad.WARM_UP);
        }
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
                () -> found.ratio("calls/s", "200 clients", DEFAULT, "100 clients", DEFAULT)
                        .atLeast(2.5, "Default size, 200 clients against 100:")
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

        Loads(int clients, boolean kept, long nanos) throws IOException {
            for (int size : SIZES) {
                bySize.put(size, ServerLoad.of(size == DEFAULT ? 0 : size, clients, true, kept, nanos));
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
