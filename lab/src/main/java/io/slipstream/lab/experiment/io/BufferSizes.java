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

/** B21: small writes and reads with and without a buffer, and buffers of all sizes. */
public final class BufferSizes implements Experiment {
    private static final int LARGE_PIECE = 64 << 10;
    private static final int DEFAULT_BUFFER = 8192;
    private static final List<Integer> RECOMMENDED = List.of(8 << 10, 16 << 10, 32 << 10);
    private static final List<Integer> BUFFERS =
            List.of(1 << 10, 4 << 10, 8 << 10, 16 << 10, 32 << 10, 128 << 10, 1 << 20);

    @Override
    public Card card() {
        return Card.of("B21", "Buffer sizes", Group.IO)
                .question("How much does a buffer help small writes, and how large should it be?")
                .reported("1 byte, not buffered", "write 2 MB/s", "August 2011", "not buffered", 1, "write MB/s")
                .reported("1 byte, buffered", "write 86 MB/s", "August 2011", "buffered", 1, "write MB/s")
                .reported("8 bytes, not buffered", "write 17 MB/s", "August 2011", "not buffered", 8, "write MB/s")
                .reported("8 bytes, buffered", "write 578 MB/s", "August 2011", "buffered", 8, "write MB/s")
                .reported("64 bytes, not buffered", "write 133 MB/s", "August 2011", "not buffered", 64, "write MB/s")
                .reported("64 bytes, buffered", "write 1,746 MB/s", "August 2011", "buffered", 64, "write MB/s")
                .reported("128 bytes, not buffered", "write 254 MB/s", "August 2011", "not buffered", 128, "write MB/s")
                .reported("128 bytes, buffered", "write 2,024 MB/s", "August 2011", "buffered", 128, "write MB/s")
                .reported("128 bytes, not buffered", "read 391 MB/s", "August 2011", "not buffered", 128, "read MB/s")
                .reported("128 bytes, buffered", "read 3,387 MB/s", "August 2011", "buffered", 128, "read MB/s")
                .reported(
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
                        machine.""");
    }

    @Override
    public void plan(Plan plan) {
        Path memory = plan.memory();
        Path directory = memory == null ? plan.directory() : memory;
        int[] pieces = {1, 2, 4, 8, 16, 32, 64, 128, 1024, LARGE_PIECE};
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
