package io.slipstream.lab.experiment.flow;

import io.slipstream.lab.Card;
import io.slipstream.lab.Crew;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Round;
import io.slipstream.lab.Verdict;
import io.slipstream.log.Log;
import io.slipstream.log.LogSystem;
import io.slipstream.log.config.LogConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/** C10: a line for each message, formatted and written by the thread that has the work, or by another. */
public final class LoggingOffTheMainFlow implements Experiment {
    private static final long GAP_NANOS = 20_000;
    private static final int SLOTS = 1 << 14;
    private static final int LINE_BYTES = 80;
    private static final int JDK_OF_SLIPSTREAM = 25;

    @Override
    public Card card() {
        return Card.of("C10", "Logging off the main flow", Group.FLOW)
                .question("A thread handles 50,000 messages a second and logs a line for each. What does a line cost"
                        + " it when it formats and writes the line itself, and when it leaves both to another thread:"
                        + " by a ring of twenty lines, and by Slipstream's log?")
                .plot(Plot.bars("median ns"))
                .plot(Plot.bars("99.9 % ns"))
                .takes(Duration.ofSeconds(4), Duration.ofMinutes(2))
                .needsCpus(2)
                .regardlessOfDistance()
                .rule("The articles ask for it without a figure, so the line is ours: holds when a call off the main"
                        + " flow takes at most 0.5 of the time of one on it, in the median and at 99.9 %.")
                .explanation("""
                    A log line is text and a system call. Both cost microseconds, and the system call waits
                    whenever the device or the file system has something else to do. The thread that has the work
                    needs neither: it leaves two numbers in a ring and goes on. Another thread makes the text,
                    and writes whatever has gathered with one call.

                    The file is the same at the end, line by line. The ring of the second case shows the idea.
                    Slipstream's log does more for a call: it looks up the statement, takes the time, and stays
                    right when the ring or the disk is full and when the process is killed. Its writer sleeps
                    when there is nothing to do, where that of the ring spins.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        int lines = plan.count("lines", 200, 10_000, 500_000);
        long room = (long) lines * LINE_BYTES;
        plan.add("on the main flow", () -> round -> run(round, plan.directory(), lines, false))
                .needsRoom(plan.directory(), room)
                .needsDisk();
        plan.add("off the main flow", () -> round -> run(round, plan.directory(), lines, true))
                .needsRoom(plan.directory(), room)
                .needsDisk();
        plan.add("Slipstream's log", () -> round -> runLog(round, plan.directory(), lines))
                .needsJdk(JDK_OF_SLIPSTREAM)
                .needsRoom(plan.directory(), room)
                .needsDisk();
        plan.add("no logging", () -> round -> record(round, new Calls(lines, (id, price) -> {})));
    }

    @Override
    public Verdict judge(Findings found) {
        return found.claims(
                () -> found.ratio("median ns", "off the main flow", "on the main flow")
                        .atMost(0.5, "Median of a call, off the main flow against on it:"),
                () -> found.ratio("99.9 % ns", "off the main flow", "on the main flow")
                        .atMost(0.5, "99.9 %:"),
                () -> found.ratio("median ns", "Slipstream's log", "on the main flow")
                        .atMost(0.5, "Median of a call of Slipstream's log:"),
                () -> found.ratio("99.9 % ns", "Slipstream's log", "on the main flow")
                        .atMost(0.5, "99.9 % of it:"));
    }

    private interface Line {
        void log(long id, double price) throws IOException;
    }

    /** The main flow: calls the log on schedule, and notes how long each call has taken. */
    private static final class Calls {
        private final long[] nanos;
        private final Line log;

        Calls(int lines, Line log) {
            this.nanos = new long[lines];
            this.log = log;
        }

        long[] run() throws IOException {
            long due = System.nanoTime();
            for (int i = 0; i < nanos.length; i++) {
                long now = System.nanoTime();
                while (now < due) {
                    Thread.onSpinWait();
                    now = System.nanoTime();
                }
                log.log(1_000_000L + i, i * 0.25);
                nanos[i] = System.nanoTime() - now;
                due += GAP_NANOS;
            }
            Arrays.sort(nanos);
            return nanos;
        }
    }

    private static void record(Round round, Calls calls) throws IOException {
        long[] nanos = calls.run();
        round.record("median ns", Math.max(1, nanos[nanos.length / 2]));
        round.record("99.9 % ns", Math.max(1, nanos[(int) (nanos.length * 0.999)]));
    }

    private static void run(Round round, Path directory, int lines, boolean isOff) throws Exception {
        Path file = Files.createTempFile(directory, "log", ".txt");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            if (isOff) {
                Ring ring = new Ring();
                Crew.runPinned(2, member -> {
                    if (member == 0) {
                        record(round, new Calls(lines, ring::put));
                    } else {
                        ring.writeAll(lines, channel);
                    }
                });
            } else {
                record(round, new Calls(lines, (id, price) -> write(channel, line(id, price))));
            }
        }
        checkLines(round, file, lines);
    }

    /** The log's own thread formats and writes; no call gives up before there is room again. */
    private static void runLog(Round round, Path directory, int lines) throws IOException {
        Path file = Files.createTempFile(directory, "log", ".txt");
        LogConfig config = LogConfig.file(file).with("pattern", "%m%n").with("full.wait", "60 s");
        try (LogSystem system = LogSystem.open(config)) {
            Log log = system.log("orders");
            record(
                    round,
                    new Calls(lines, (id, price) -> log.info("order {} filled at {} by {}", id, price, "someone")));
        }
        checkLines(round, file, lines);
    }

    private static void checkLines(Round round, Path file, int lines) throws IOException {
        try (var written = Files.lines(file)) {
            round.check("lines", lines, written.count());
        } finally {
            Files.delete(file);
        }
    }

    private static String line(long id, double price) {
        return "order " + id + " filled at " + price + " by someone\n";
    }

    private static void write(FileChannel channel, String text) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    /** Two numbers for each line, from one thread to another. */
    private static final class Ring {
        private final long[] ids = new long[SLOTS];
        private final double[] prices = new double[SLOTS];
        private final AtomicLong put = new AtomicLong();
        private final AtomicLong taken = new AtomicLong();

        void put(long id, double price) {
            long at = put.getPlain();
            while (at - taken.getAcquire() == SLOTS) {
                Thread.onSpinWait();
            }
            int slot = (int) at & SLOTS - 1;
            ids[slot] = id;
            prices[slot] = price;
            put.setRelease(at + 1);
        }

        void writeAll(int lines, FileChannel channel) throws IOException {
            StringBuilder text = new StringBuilder();
            for (long at = 0; at < lines; ) {
                long end = put.getAcquire();
                if (at == end) {
                    Thread.onSpinWait();
                    continue;
                }
                text.setLength(0);
                for (; at < end; at++) {
                    int slot = (int) at & SLOTS - 1;
                    text.append(line(ids[slot], prices[slot]));
                }
                taken.setRelease(at);
                write(channel, text.toString());
            }
        }
    }
}
