package io.slipstream.lab.experiment.io;

import io.slipstream.lab.Card;
import io.slipstream.lab.Case;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Figure;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Round;
import io.slipstream.lab.Verdict;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** B21: small writes and reads with and without a buffer, and buffers of all sizes. */
public final class BufferSizes implements Experiment {
    private static final int LARGE_PIECE = 64 << 10;
    private static final int DEFAULT_BUFFER = 8192;
    private static final List<Integer> RECOMMENDED = List.of(8 << 10, 16 << 10, 32 << 10);

    /** MB/s by bytes a call: writes without a buffer and with one, reads without one and with one. */
    private static final SortedMap<Integer, int[]> REPORTED = new TreeMap<>(Map.of(
            1, new int[] {2, 86, 3, 72},
            2, new int[] {4, 165, 6, 147},
            4, new int[] {8, 333, 11, 291},
            8, new int[] {17, 578, 24, 560},
            16, new int[] {34, 920, 49, 983},
            32, new int[] {67, 1_345, 99, 1_679},
            64, new int[] {133, 1_746, 198, 2_518},
            128, new int[] {254, 2_024, 391, 3_387}));

    private static final List<Integer> BUFFERS =
            List.of(1 << 10, 4 << 10, 8 << 10, 16 << 10, 32 << 10, 128 << 10, 1 << 20);

    @Override
    public Card card() {
        Card card = Card.of("B21", "Buffer sizes", Group.IO)
                .question("How much does a buffer help small writes, and how large should it be?");
        REPORTED.forEach((piece, megabytes) -> {
            String what = piece == 1 ? "1 byte" : piece + " bytes";
            reported(card, what + ", not buffered", "not buffered", piece, megabytes[0], megabytes[2]);
            reported(card, what + ", buffered", "buffered", piece, megabytes[1], megabytes[3]);
        });
        return card.reported(
                        "A buffer of 8 to 32 KB",
                        "the best size, about that of the L1 cache",
                        "August 2011",
                        "by buffer size",
                        16_384,
                        "write MB/s")
                .plot(Plot.lines("write MB/s", "bytes a write, or bytes of buffer"))
                .plot(Plot.lines("read MB/s", "bytes a read, or bytes of buffer"))
                .takes(Duration.ofSeconds(9), Duration.ofMinutes(16))
                .rule("Holds when a buffer makes writes of 8 bytes at least 5 times as fast (reported: 34), writes"
                        + " and reads"
                        + " of 128 bytes at least 4 times (8 and 9), a buffer makes pieces of 64 KB"
                        + " at most 1.2 times as"
                        + " fast (reported: it does not help), and the best of 8, 16 and 32 KB writes at"
                        + " least 0.8 times as fast as the best of all sizes.")
                .explanation("""
                    A system call costs some hundred nanoseconds whether it moves one byte or a thousand, so small
                    pieces are all call. A buffer gathers them. From a few kilobytes on, copying dominates; a
                    buffer larger than the first-level cache (and later the second) must be fetched from further
                    away for its second copy.

                    8 to 32 KB is a good default almost everywhere. The curve shows where it flattens on this
                    machine.\
                    """);
    }

    private static void reported(Card card, String what, String series, int piece, int write, int read) {
        card.reported(
                        what,
                        String.format(Locale.ROOT, "write %,d MB/s", write),
                        "August 2011",
                        series,
                        piece,
                        "write MB/s")
                .reported(
                        what,
                        String.format(Locale.ROOT, "read %,d MB/s", read),
                        "August 2011",
                        series,
                        piece,
                        "read MB/s");
    }

    @Override
    public void plan(Plan plan) {
        Path memory = plan.memory();
        Path directory = memory == null ? plan.directory() : memory;
        int[] pieces = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, LARGE_PIECE};
        long calls = plan.size("calls", 10, 20_000, 2_000_000);
        long most = plan.size("bytes of a file at most", 1 << 20, 16 << 20, 256 << 20);
        List<Case> cases = List.of(
                plan.add("not buffered", () -> round -> {
                    for (int piece : pieces) {
                        pass(round, directory, piece, Math.min(most, calls * piece), 0);
                    }
                }),
                plan.add("buffered", () -> round -> {
                    for (int piece : pieces) {
                        pass(round, directory, piece, Math.min(most, 10 * calls * piece), DEFAULT_BUFFER);
                    }
                }),
                plan.add("by buffer size", () -> round -> {
                    for (int buffer : BUFFERS) {
                        pass(round, directory, buffer, most, 0);
                    }
                }));
        for (Case each : cases) {
            each.needsRoom(directory, most).needsMemory(most);
            if (memory == null) {
                each.skip("there is no writable /dev/shm");
            }
        }
    }

    @Override
    public Verdict judge(Findings found) {
        return found.claims(
                () -> found.ratio("write MB/s", "buffered", 8, "not buffered", 8)
                        .atLeast(5, "Buffered against not, 8 bytes:"),
                () -> found.ratio("write MB/s", "buffered", 128, "not buffered", 128)
                        .atLeast(4, "The same, 128 bytes:"),
                () -> found.ratio("read MB/s", "buffered", 128, "not buffered", 128)
                        .atLeast(4, "The same, reading 128 bytes:"),
                () -> found.ratio("write MB/s", "buffered", LARGE_PIECE, "not buffered", LARGE_PIECE)
                        .atMost(1.2, "Buffered against not, 64 KB:"),
                () -> recommended(found));
    }

    private static Verdict recommended(Findings found) {
        int best = best(found, BUFFERS);
        int near = best(found, RECOMMENDED);
        return found.ratio("write MB/s", "by buffer size", near, "by buffer size", best)
                .atLeast(0.8, Figure.bytes(near) + " against the best (" + Figure.bytes(best) + "):");
    }

    private static int best(Findings found, List<Integer> sizes) {
        return Collections.max(
                sizes,
                Comparator.comparingDouble(
                        size -> found.get("by buffer size", size, "write MB/s").median()));
    }

    private static void pass(Round round, Path directory, int piece, long bytes, int buffer) throws IOException {
        Path file = Files.createTempFile(directory, "pieces", ".data");
        byte[] data = new byte[piece];
        Arrays.fill(data, (byte) 1);
        long count = bytes / piece;
        try {
            long start = System.nanoTime();
            try (OutputStream raw = new FileOutputStream(file.toFile());
                    OutputStream out = buffer == 0 ? raw : new BufferedOutputStream(raw, buffer)) {
                for (long i = 0; i < count; i++) {
                    out.write(data);
                }
            }
            long written = System.nanoTime();
            long read = 0;
            long sum = 0;
            try (InputStream raw = new FileInputStream(file.toFile());
                    InputStream in = buffer == 0 ? raw : new BufferedInputStream(raw, buffer)) {
                for (int n = in.read(data); n > 0; n = in.read(data)) {
                    read += n;
                    sum += data[0];
                }
            }
            long end = System.nanoTime();
            round.record("write MB/s", piece, count * piece / 1e6 * 1e9 / (written - start));
            round.record("read MB/s", piece, read / 1e6 * 1e9 / (end - written));
            round.check("bytes read", count * piece, read);
            round.check("pieces read", count, sum);
        } finally {
            Files.delete(file);
        }
    }
}
