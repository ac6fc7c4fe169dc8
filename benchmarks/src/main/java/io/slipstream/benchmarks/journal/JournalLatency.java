package io.slipstream.benchmarks.journal;

import io.slipstream.journal.Durability;
import io.slipstream.journal.Journal;
import io.slipstream.journal.JournalConfig;
import io.slipstream.journal.WriteMode;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;

/**
 * How long one record of 100 bytes takes until it counts as durable, at a fixed rate, from the moment at which it was
 * due
 * (so a stall counts for all that it delays). Prints percentiles in microseconds; arguments: rounds, seconds a round.
 */
public final class JournalLatency {
    private static final int PAYLOAD_BYTES = 100;
    private static final double[] PERCENTILES = {50, 90, 99, 99.9, 99.99, 100};

    private JournalLatency() {
    }

    /** Runs all cases in turn, as many rounds as it is told. */
    public static void main(String[] args) throws Exception {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 3;
        int seconds = args.length > 1 ? Integer.parseInt(args[1]) : 5;
        System.out.printf("%-34s %10s %8s %8s %8s %8s %8s %8s%n", "case", "rate/s", "50 %", "90 %", "99 %", "99.9 %", "99.99 %",
                "worst");
        for (int round = 0; round <= rounds; round++) {
            boolean counts = round > 0;
            ours(counts, "NONE", JournalConfig.at(Durability.NONE), 100_000, seconds);
            ours(counts, "PROCESS, mapped", JournalConfig.at(Durability.PROCESS).withWriteMode(WriteMode.MAPPED), 100_000,
                    seconds);
            ours(counts, "PROCESS, one write each", JournalConfig.at(Durability.PROCESS), 100_000, seconds);
            chronicle(counts, 100_000, seconds);
            ours(counts, "SYNC", JournalConfig.at(Durability.SYNC), 200, seconds);
            ours(counts, "SYNC, DSYNC", JournalConfig.at(Durability.SYNC).withWriteMode(WriteMode.DSYNC), 200, seconds);
        }
    }

    private static void ours(boolean counts, String name, JournalConfig config, int rate, int seconds) throws Exception {
        Path folder = Folders.create();
        MemorySegment frame = Payload.frames(PAYLOAD_BYTES, 1);
        int bytes = (int) frame.byteSize();
        try (Journal journal = Journal.open(folder, config)) {
            print(counts, "ours: " + name, rate, run(rate, seconds, () -> {
                journal.append(frame, 0, bytes);
                journal.commit();
            }));
        }
        Folders.remove(folder);
    }

    private static void chronicle(boolean counts, int rate, int seconds) throws Exception {
        Path folder = Folders.create();
        Bytes<?> bytes = Bytes.allocateDirect(PAYLOAD_BYTES);
        bytes.write(new byte[PAYLOAD_BYTES]);
        try (ChronicleQueue queue = ChronicleJournal.open(folder); ExcerptAppender appender = queue.createAppender()) {
            print(counts, "Chronicle Queue 2026.4", rate, run(rate, seconds, () -> {
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

    private static void print(boolean counts, String name, int rate, long[] sorted) {
        if (!counts) {
            return;
        }
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-34s %10d", name, rate));
        for (double percentile : PERCENTILES) {
            int at = (int) Math.ceil(percentile / 100 * sorted.length) - 1;
            line.append(String.format(Locale.ROOT, " %8.1f", sorted[Math.max(0, at)] / 1000.0));
        }
        System.out.println(line);
    }

    private interface Operation {
        void run() throws Exception;
    }
}
