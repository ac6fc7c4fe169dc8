package io.slipstream.lab.experiment.product;

import io.slipstream.ipc.ChannelSettings;
import io.slipstream.ipc.IpcChannel;
import io.slipstream.ipc.IpcPublisher;
import io.slipstream.ipc.IpcSubscriber;
import io.slipstream.ipc.Start;
import io.slipstream.lab.Card;
import io.slipstream.lab.Crew;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Round;
import io.slipstream.lab.Verdict;
import io.slipstream.lab.Workload;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** P2: messages through Slipstream's mapped file, there and back, and as a stream. */
public final class SharedMemory implements Experiment {
    private static final int JDK = 25;
    private static final int RING = 1 << 20;
    private static final int BYTES = 60;

    @Override
    public Card card() {
        return Card.of("P2", "Slipstream's shared memory", Group.FLOW)
                .question("How fast do messages of 60 bytes pass through a mapped file, there and back and as a"
                        + " stream?")
                .reported(
                        "Mean latency",
                        "about 200 ns there and back (100 ns one way)",
                        "best JVM, March 2012",
                        "channel",
                        "",
                        "ns/op")
                .reported("Throughput", "12 to 22 M messages/s", "March 2012", "channel", "", "messages/s")
                .plot(Plot.bars("ns/op"))
                .plot(Plot.bars("messages/s"))
                .takes(Duration.ofSeconds(4), Duration.ofMinutes(2))
                .needsCpus(2)
                .rule("Holds when a message there and back takes at most 200 ns, and 12 million a second pass.")
                .explanation("""
                    A channel is a ring in a file that both sides map: a message is written once, where the reader
                    finds it, and announced by one ordered store. B3 shows what two cores need for such a line to
                    go there and back; what is above that is the price of frames, positions and checks.

                    Both sides are threads of one process here, each with a mapping of its own. The memory, the
                    code and the way from core to core are those of two processes; './slipstream ipc bench' runs
                    two.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        Path memory = plan.memory();
        Path directory = memory == null ? plan.directory() : memory;
        int trips = plan.count("round trips", 100, 200_000, 20_000_000);
        int messages = plan.count("messages of the stream", 100, 1_000_000, 100_000_000);
        plan.add("channel", () -> new Channels(directory, trips, messages))
                .needsRoom(directory, 4L * RING)
                .needsMemory(4L * RING)
                .needsJdk(JDK);
    }

    /** Adds a case that only sends messages there and back, for an experiment that compares it with other ways. */
    public static void addRoundTrips(Plan plan, String name, int trips) {
        Path memory = plan.memory();
        Path directory = memory == null ? plan.directory() : memory;
        plan.add(name, () -> new Channels(directory, trips, 0))
                .needsRoom(directory, 4L * RING)
                .needsMemory(4L * RING)
                .needsJdk(JDK);
    }

    @Override
    public Verdict judge(Findings found) {
        return found.claims(
                () -> found.range("channel", "", "ns/op").atMost(200, "There and back, ns:"),
                () -> found.range("channel", "", "messages/s").atLeast(12e6, "Messages a second:"));
    }

    /** Two files, one for each direction. Loaded where it is used, because older JVMs read the class around it too. */
    private static final class Channels implements Workload {
        private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

        private final Path folder;
        private final int trips;
        private final int messages;

        Channels(Path directory, int trips, int messages) throws IOException {
            this.trips = trips;
            this.messages = messages;
            folder = Files.createTempDirectory(directory, "channels");
        }

        @Override
        public void run(Round round) throws Exception {
            Path there = folder.resolve("there.ipc");
            Path back = folder.resolve("back.ipc");
            try (IpcChannel to = IpcChannel.create(there, ChannelSettings.onePublisher(RING));
                    IpcChannel from = IpcChannel.create(back, ChannelSettings.onePublisher(RING));
                    IpcPublisher ping = to.newPublisher("ping");
                    IpcSubscriber pinged = to.newSubscriber("pinged", Start.OLDEST);
                    IpcPublisher pong = from.newPublisher("pong");
                    IpcSubscriber ponged = from.newSubscriber("ponged", Start.OLDEST)) {
                long nanos = Crew.runPinned(2, member -> {
                    if (member == 0) {
                        for (int i = 0; i < trips; i++) {
                            send(ping, i);
                            receive(ponged, i);
                        }
                    } else {
                        for (int i = 0; i < trips; i++) {
                            receive(pinged, i);
                            send(pong, i);
                        }
                    }
                });
                round.nanosPerOp(nanos, trips);
                round.record("round trips/s", trips * 1e9 / nanos);
                if (messages > 0) {
                    nanos = Crew.runPinned(2, member -> {
                        if (member == 0) {
                            for (int i = 0; i < messages; i++) {
                                send(ping, i);
                            }
                        } else {
                            round.check("messages", messages, stream(pinged, messages));
                        }
                    });
                    round.record("messages/s", messages * 1e9 / nanos);
                }
            }
        }

        private static void send(IpcPublisher publisher, long number) {
            long claim = publisher.tryClaim(BYTES);
            while (claim < 0) {
                Thread.onSpinWait();
                claim = publisher.tryClaim(BYTES);
            }
            publisher.memory().set(LONG, publisher.messageOffset(claim), number);
            publisher.publish(claim);
        }

        private static void receive(IpcSubscriber subscriber, long number) {
            long[] seen = {-1};
            while (subscriber.poll((memory, offset, length, end) -> seen[0] = memory.get(LONG, offset + 8), 1) == 0) {
                Thread.onSpinWait();
            }
            Round.expect("message", number, seen[0]);
        }

        /** How many came in order before the last. */
        private static long stream(IpcSubscriber subscriber, int messages) {
            long[] next = new long[1];
            while (next[0] < messages) {
                int count = subscriber.poll(
                        (memory, offset, length, end) -> {
                            Round.expect("message", next[0], memory.get(LONG, offset + 8));
                            next[0]++;
                        },
                        256);
                if (count == 0) {
                    Thread.onSpinWait();
                }
            }
            return next[0];
        }

        @Override
        public void close() throws IOException {
            Files.deleteIfExists(folder.resolve("there.ipc"));
            Files.deleteIfExists(folder.resolve("back.ipc"));
            Files.delete(folder);
        }
    }
}
