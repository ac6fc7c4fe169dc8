package io.slipstream.lab.experiment.network;

import io.slipstream.lab.Card;
import io.slipstream.lab.Crew;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Sample;
import io.slipstream.lab.Unavailable;
import io.slipstream.lab.Verdict;
import io.slipstream.lab.Workload;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** B12: datagrams from one thread to another through a multicast group, pinned and not. */
public final class Multicast implements Experiment {
    private static final String GROUP = "239.255.17.12";
    private static final int BYTES = 64;
    private static final int REMEMBERED = 1 << 16;
    private static final long PATIENCE_NANOS = 2_000_000_000;

    @Override
    public Card card() {
        return Card.of("B12", "Pinned and unpinned multicast", Group.NETWORK)
                .question("Two threads exchange IP multicast datagrams. Does pinning them make throughput higher and"
                        + " steadier?")
                .reported("Not pinned", "moves in unpredictable steps", "two JVMs, dummy interface, July 2011",
                "free", "", "messages/s")
                .reported("Pinned", "flat, and the highest", "two JVMs, dummy interface, July 2011", "pinned", "",
                "messages/s")
                .plot(Plot.bars("messages/s"))
                .plot(Plot.bars("unsteadiness %"))
                .plot(Plot.lines("messages/s in an interval", "interval").linear())
                .takes(Duration.ofSeconds(7), Duration.ofMinutes(17))
                .needsCpus(4)
                .regardlessOfDistance()
                .rule("Holds when pinned throughput is at least that of free threads (within 5 %), and its"
                        + " unsteadiness (standard deviation over mean of short intervals) is not larger.")
                .explanation("""
                        A scheduler that moves a thread makes it leave its caches behind, and may put sender and
                        receiver on one core, where they take turns, or apart, where they run together: steps in
                        throughput that have nothing to do with the program. Pinning takes the choice away.

                        Pin the few threads that matter, to cores that share a cache, and keep everything else off
                        them. With as many busy threads as processors there is nowhere for the rest to go, which is
                        why two processors are too few to profit.""");
    }

    @Override
    public void plan(Plan plan) {
        int intervals = plan.count("intervals", 2, 10, 20);
        long nanos = plan.size("ns an interval", 500_000, 20_000_000, 1_000_000_000);
        plan.add("pinned", () -> exchange(intervals, nanos, true)).needsPinning();
        plan.add("free", () -> exchange(intervals, nanos, false));
    }

    @Override
    public Verdict judge(Findings found) {
        return found.claims(
                () -> found.ratio("messages/s", "pinned", "free").atLeast(0.95, "Pinned against free:"),
                () -> found.ratio("unsteadiness %", "pinned", "free").atMost(1, "Unsteadiness, pinned against free:"));
    }

    private static Workload exchange(int intervals, long nanos, boolean pinned) {
        NetworkInterface device = device();
        return round -> {
            AtomicBoolean running = new AtomicBoolean(true);
            Received[] received = new Received[1];
            try (DatagramChannel receiver = open();
                    DatagramChannel sender = open()) {
                receiver.setOption(StandardSocketOptions.SO_REUSEADDR, true);
                receiver.bind(new InetSocketAddress(0));
                InetSocketAddress group =
                        new InetSocketAddress(GROUP, ((InetSocketAddress) receiver.getLocalAddress()).getPort());
                join(receiver, device);
                sender.setOption(StandardSocketOptions.IP_MULTICAST_IF, device);
                // Never leaves the machine.
                sender.setOption(StandardSocketOptions.IP_MULTICAST_TTL, 0);
                receiver.configureBlocking(false);
                Crew.Body both = member -> {
                    try {
                        if (member == 0) {
                            received[0] = receive(receiver, intervals, nanos);
                        } else {
                            send(sender, group, running);
                        }
                    } finally {
                        running.set(false);
                    }
                };
                if (pinned) {
                    Crew.runPinned(2, both);
                } else {
                    Crew.run(2, both);
                }
            }
            Sample rates = received[0].rates();
            round.record("messages/s", rates.median());
            round.record("unsteadiness %", 100 * rates.standardDeviation() / Math.max(1, rates.mean()));
            round.record("late", received[0].late());
            for (int i = 0; i < intervals; i++) {
                round.record("messages/s in an interval", i + 1, rates.values().get(i));
            }
        };
    }

    private static NetworkInterface device() {
        try {
            return NetworkInterface.networkInterfaces()
                    .filter(Multicast::isUsable)
                    .findFirst()
                    .orElseThrow(() -> new Unavailable("no network interface here is up and can multicast"));
        } catch (IOException e) {
            throw new Unavailable("no network interface can be seen here: " + e.getMessage());
        }
    }

    private static DatagramChannel open() throws IOException {
        return DatagramChannel.open(StandardProtocolFamily.INET);
    }

    private static void join(DatagramChannel receiver, NetworkInterface device) {
        try {
            receiver.join(InetAddress.getByName(GROUP), device);
        } catch (IOException e) {
            throw new Unavailable(
                    "joining a multicast group on " + device.getName() + " is not allowed here: " + e.getMessage());
        }
    }

    private static boolean isUsable(NetworkInterface device) {
        try {
            return device.isUp()
                    && device.supportsMulticast()
                    && device.inetAddresses().anyMatch(a -> a.getAddress().length == 4);
        } catch (IOException e) {
            return false;
        }
    }

    private static void send(DatagramChannel sender, InetSocketAddress group, AtomicBoolean running) {
        ByteBuffer message = ByteBuffer.allocateDirect(BYTES);
        try {
            for (long i = 0; running.get(); i++) {
                message.clear().putLong(0, i);
                sender.send(message, group);
            }
        } catch (IOException e) {
            throw new Unavailable("sending multicast datagrams is not allowed here: " + e.getMessage());
        }
    }

    /**
     * Messages a second in each interval. Datagrams may be lost, and may overtake each other where the sender moves
     * from one processor to another; none may come twice.
     */
    private static Received receive(DatagramChannel receiver, int intervals, long nanos) throws IOException {
        ByteBuffer message = ByteBuffer.allocateDirect(BYTES);
        List<Double> rates = new ArrayList<>();
        long[] seen = new long[REMEMBERED];
        long last = awaitFirst(receiver, message);
        long late = 0;
        for (int i = 0; i < intervals; i++) {
            long start = System.nanoTime();
            long count = 0;
            long now = start;
            while (now - start < nanos) {
                if (receiver.receive(message.clear()) != null) {
                    long number = message.getLong(0);
                    int slot = (int) (number % REMEMBERED);
                    if (seen[slot] == number + 1) {
                        throw new IllegalStateException("datagram " + number + " came twice");
                    }
                    seen[slot] = number + 1;
                    late += number < last ? 1 : 0;
                    last = Math.max(last, number);
                    count++;
                }
                now = System.nanoTime();
            }
            rates.add(count * 1e9 / (now - start));
        }
        return new Received(new Sample(rates), late);
    }

    private record Received(Sample rates, long late) {}

    /** The number of the first datagram; from then on both threads are at work. */
    private static long awaitFirst(DatagramChannel receiver, ByteBuffer message) throws IOException {
        long start = System.nanoTime();
        while (receiver.receive(message.clear()) == null) {
            if (System.nanoTime() - start > PATIENCE_NANOS) {
                throw new Unavailable("multicast datagrams are sent here, and none arrives");
            }
            Thread.onSpinWait();
        }
        return message.getLong(0);
    }
}
