package io.slipstream.benchmarks.journal;

import io.slipstream.journal.Journal;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.config.WriteMode;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;

/**
 * How long one record of 100 bytes takes until it counts as durable, at a fixed rate, from the moment at which it was
 * due (so a stall counts for all that it delays). Prints percentiles in microseconds, each the median of the rounds;
 * arguments: rounds, seconds a round. Runs in a JVM of its own, with the options of {@link JournalSuite}.
 */
public final class JournalLatency {
    private static final int PAYLOAD_BYTES = 100;
    private static final double[] PERCENTILES = {50, 90, 99, 99.9, 99.99, 100};

    private static final String FORMAT = "%-34s %10s %8.1f %8.1f %8.1f %8.1f %8.1f %8.1f";
    private static final String IN_ITS_JVM = "in-its-jvm";

    private final Map<String, Case> cases = new LinkedHashMap<>();
    private boolean counts;

    private JournalLatency() {}

    /** Runs all cases in turn, for the given number of rounds, after one warm-up round that does not count. */
    public static void main(String[] args) throws Exception {
        if (args.length == 0 || !args[0].equals(IN_ITS_JVM)) {
            System.exit(inJvmOfItsOwn(args));
        }
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 3;
        int seconds = args.length > 2 ? Integer.parseInt(args[2]) : 5;
        JournalLatency latency = new JournalLatency();
        for (int round = 0; round <= rounds; round++) {
            latency.counts = round > 0;
            latency.round(seconds);
        }
        System.out.printf(
                Locale.ROOT,
                FORMAT.replace(".1f", "s") + "%n",
                "case",
                "rate/s",
                "50 %",
                "90 %",
                "99 %",
                "99.9 %",
                "99.99 %",
                "worst");
        latency.cases.forEach((name, measured) -> System.out.println(line(name, measured)));
    }

    private static int inJvmOfItsOwn(String[] args) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(new JournalSuite().jvmOptions());
        command.addAll(
                List.of("-cp", System.getProperty("java.class.path"), JournalLatency.class.getName(), IN_ITS_JVM));
        command.addAll(List.of(args));
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }

    private void round(int seconds) throws Exception {
        ours("NONE", JournalConfig.at(Durability.NONE), 100_000, seconds);
        ours("PROCESS, mapped", JournalConfig.at(Durability.PROCESS).withWriteMode(WriteMode.MAPPED), 100_000, seconds);
        ours("PROCESS, one write each", JournalConfig.at(Durability.PROCESS), 100_000, seconds);
        chronicle(100_000, seconds);
        ours("SYNC", JournalConfig.at(Durability.SYNC), 200, seconds);
        ours("SYNC, DSYNC", JournalConfig.at(Durability.SYNC).withWriteMode(WriteMode.DSYNC), 200, seconds);
    }

    private void ours(String name, JournalConfig config, int rate, int seconds) throws Exception {
        Path folder = Folders.create();
        MemorySegment frame = Payload.frames(PAYLOAD_BYTES, 1);
        int bytes = (int) frame.byteSize();
        try (Journal journal = Journal.open(folder, config)) {
            add("ours: " + name, rate, run(rate, seconds, () -> {
                journal.append(frame, 0, bytes);
                journal.commit();
            }));
        }
        Folders.remove(folder);
    }

    private void chronicle(int rate, int seconds) throws Exception {
        Path folder = Folders.create();
        Bytes<?> bytes = Bytes.allocateDirect(PAYLOAD_BYTES);
        bytes.write(new byte[PAYLOAD_BYTES]);
        try (ChronicleQueue queue = ChronicleJournal.open(folder);
                ExcerptAppender appender = queue.createAppender()) {
            add("Chronicle Queue 2026.4", rate, run(rate, seconds, () -> {
                bytes.readPosition(0);
                appender.writeBytes(bytes);
            }));
        }
        bytes.releaseLast();
        Folders.remove(folder);
    }

    private static long[] run(int rate, int seconds, Operation operation) throws Exception {
        long[] latencies = new long[rate * seconds];
        long interval = 1_000_000_000L / rate;
        long due = System.nanoTime() + interval;
        for (int i = 0; i < latencies.length; i++, due += interval) {
            while (System.nanoTime() < due) {
                Thread.onSpinWait();
            }
            operation.run();
            latencies[i] = System.nanoTime() - due;
        }
        Arrays.sort(latencies);
        return latencies;
    }

    private void add(String name, int rate, long[] sorted) {
        if (counts) {
            double[] micros = Arrays.stream(PERCENTILES)
                    .map(percentile ->
                            sorted[Math.max(0, (int) Math.ceil(percentile / 100 * sorted.length) - 1)] / 1000.0)
                    .toArray();
            cases.computeIfAbsent(name, _ -> new Case(rate, new ArrayList<>()))
                    .rounds
                    .add(micros);
        }
    }

    /** Returns the line of a case: of each percentile, the median of all rounds. */
    static String line(String name, Case measured) {
        List<Object> columns = new ArrayList<>(List.of(name, Integer.toString(measured.rate)));
        for (int i = 0; i < PERCENTILES.length; i++) {
            int column = i;
            double[] rounds = measured.rounds.stream()
                    .mapToDouble(round -> round[column])
                    .sorted()
                    .toArray();
            int middle = rounds.length / 2;
            columns.add(rounds.length % 2 == 1 ? rounds[middle] : (rounds[middle - 1] + rounds[middle]) / 2);
        }
        return String.format(Locale.ROOT, FORMAT, columns.toArray());
    }

    /** The percentiles of each round of a case. */
    record Case(int rate, List<double[]> rounds) {}

    private interface Operation {
        void run() throws Exception;
    }
}
