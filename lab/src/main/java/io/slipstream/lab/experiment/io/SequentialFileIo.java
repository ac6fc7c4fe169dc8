package io.slipstream.lab.experiment.io;

import io.slipstream.lab.Card;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Figure;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Form;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Ratio;
import io.slipstream.lab.Round;
import io.slipstream.lab.Verdict;
import io.slipstream.lab.Workload;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** B8: a pre-allocated file, written and read in order in four ways. */
public final class SequentialFileIo implements Experiment {
    private static final String MACHINE = "Sandy Bridge 2.0 GHz, Intel 320, December 2011";
    private static final int PAGE = 4096;
    private static final long MAPPING = 1L << 30;
    private static final long ENOUGH_NANOS = 500_000_000;
    private static final long LARGE = 8L << 30;
    private static final List<String> WAYS = List.of("RandomAccessFile", "buffered stream", "FileChannel", "mapped");

    @Override
    public Card card() {
        return Card.of("B8", "Sequential file IO", Group.IO)
                .question("Which of the four ways to write and read a file in order is fastest: RandomAccessFile,"
                        + " buffered streams, FileChannel, mapping?")
                .reported(
                        "RandomAccessFile, 400 MB", "write 250–380 MB/s", MACHINE, "RandomAccessFile", "", "write MB/s")
                .reported(
                        "RandomAccessFile, 400 MB",
                        "read 1,390–1,490 MB/s",
                        MACHINE,
                        "RandomAccessFile",
                        "",
                        "read MB/s")
                .reported("Buffered streams, 400 MB", "write 83–113 MB/s", MACHINE, "buffered stream", "", "write MB/s")
                .reported("Buffered streams, 400 MB", "read 153–289 MB/s", MACHINE, "buffered stream", "", "read MB/s")
                .reported("FileChannel, 400 MB", "write 213–266 MB/s", MACHINE, "FileChannel", "", "write MB/s")
                .reported("FileChannel, 400 MB", "read 356–1,540 MB/s", MACHINE, "FileChannel", "", "read MB/s")
                .reported("Memory-mapped, 400 MB", "write 301–328 MB/s", MACHINE, "mapped", "", "write MB/s")
                .reported("Memory-mapped, 400 MB", "read 304–311 MB/s", MACHINE, "mapped", "", "read MB/s")
                .reported(
                        "RandomAccessFile, 8 GB",
                        "write 167–194 MB/s",
                        MACHINE,
                        "RandomAccessFile",
                        "8 GB",
                        "write MB/s")
                .reported(
                        "RandomAccessFile, 8 GB",
                        "read 245–275 MB/s",
                        MACHINE,
                        "RandomAccessFile",
                        "8 GB",
                        "read MB/s")
                .reported(
                        "Buffered streams, 8 GB",
                        "write 131–155 MB/s",
                        MACHINE,
                        "buffered stream",
                        "8 GB",
                        "write MB/s")
                .reported("Buffered streams, 8 GB", "read 146–253 MB/s", MACHINE, "buffered stream", "8 GB",
                "read MB/s")
                .reported("FileChannel, 8 GB", "write 187–193 MB/s", MACHINE, "FileChannel", "8 GB", "write MB/s")
                .reported("FileChannel, 8 GB", "read 211–223 MB/s", MACHINE, "FileChannel", "8 GB", "read MB/s")
                .reported("Memory-mapped, 8 GB", "write 120–123 MB/s", MACHINE, "mapped", "8 GB", "write MB/s")
                .reported("Memory-mapped, 8 GB", "read 230–232 MB/s", MACHINE, "mapped", "8 GB", "read MB/s")
                .plot(Plot.bars("write MB/s"))
                .plot(Plot.bars("read MB/s"))
                .takes(Duration.ofSeconds(23), Duration.ofMinutes(270))
                .rule("Holds when, with the smaller file, buffered streams are the slowest of the four by at least a"
                        + " fifth, in writing and in reading; RandomAccessFile reads at least 2.5 times as fast as"
                        + " a mapping"
                        + " (reported: about 5); and, where 8 GB were measured too, the fastest and the slowest are"
                        + " closer"
                        + " together there.")
                .explanation("""
                        Nothing is forced to the disk here, and a file that fits into memory is read from the page
                        cache: what differs is the way through the kernel. A stream takes byte after byte through its
                        buffer's lock and checks. A mapping pays a page fault for each first touch instead of a system
                        call for each page. All four write into the file that is there: a stream that is opened by name
                        would first give up its room and then ask for it anew. The original writes and then reads with a
                        checksum; here each way brings every page into memory of its own, and what the file holds
                        is compared with what was written when the clock has stopped.

                        Pre-allocate, write whole aligned blocks, and write many records with one call. Slipstream's
                        journal does one positional write for each batch. Files larger than memory are bound by the
                        device, and the four come closer.""");
    }

    @Override
    public void plan(Plan plan) {
        long file = plan.size("bytes of a file", 1 << 20, 16L << 20, 400L << 20);
        List<Long> sizes = plan.form() == Form.FULL ? List.of(file, LARGE) : List.of(file);
        for (long size : sizes) {
            String x = size == sizes.get(0) ? "" : Figure.bytes(size);
            plan.add("RandomAccessFile", x, () -> new Passes(plan, size, new ByRandomAccess()))
                    .needsRoom(plan.directory(), size)
                    .needsDisk();
            plan.add("buffered stream", x, () -> new Passes(plan, size, new ByStream()))
                    .needsRoom(plan.directory(), size)
                    .needsDisk();
            plan.add("FileChannel", x, () -> new Passes(plan, size, new ByChannel()))
                    .needsRoom(plan.directory(), size)
                    .needsDisk();
            plan.add("mapped", x, () -> new Passes(plan, size, new ByMapping()))
                    .needsRoom(plan.directory(), size)
                    .needsDisk();
        }
    }

    @Override
    public Verdict judge(Findings found) {
        List<Findings.Claim> claims = new ArrayList<>();
        claims.add(() -> slowest(found, "write MB/s"));
        claims.add(() -> slowest(found, "read MB/s"));
        claims.add(() -> found.ratio("read MB/s", "RandomAccessFile", "mapped")
                .atLeast(2.5, "RandomAccessFile against mapped (read MB/s):"));
        String large = Figure.bytes(LARGE);
        if (found.find("FileChannel", large, "write MB/s") != null) {
            claims.add(() -> closer(found, large, "write MB/s"));
            claims.add(() -> closer(found, large, "read MB/s"));
        }
        return found.claims(claims);
    }

    /** Whether the ways are closer together with the large file than with the small one. */
    private static Verdict closer(Findings found, String large, String metric) {
        double small = gap(found, "", metric).median();
        return gap(found, large, metric)
                .atMost(small, "The fastest against the slowest at " + large + " (" + metric + "), more at 400 MB:");
    }

    private static Ratio gap(Findings found, String x, String metric) {
        Comparator<String> bySpeed =
                Comparator.comparingDouble(way -> found.get(way, x, metric).median());
        return found.ratio(metric, Collections.max(WAYS, bySpeed), x, Collections.min(WAYS, bySpeed), x);
    }

    private static Verdict slowest(Findings found, String metric) {
        return Verdict.all(Stream.of("RandomAccessFile", "FileChannel", "mapped")
                .map(other -> found.ratio(metric, other, "buffered stream")
                        .atLeast(1.2, other + " against streams (" + metric + "):"))
                .toArray(Verdict[]::new));
    }

    /**
     * What the pages of a round hold: each its number, and then the round's mark in every byte. They are made before
     * the clock starts: only the number changes from page to page. While it runs, both ends of a page that was read are
     * looked at, so that one that is missing, old or half shows; {@link #checkAll} looks at all bytes when it has
     * stopped.
     */
    private static final class Pages {
        private static final int PIECE = 256 * PAGE;

        private final long count;
        private final byte[] out = new byte[PAGE];
        private final ByteBuffer outOnHeap = ByteBuffer.wrap(out);
        private final ByteBuffer outDirect = ByteBuffer.allocateDirect(PAGE);
        private final byte[] in = new byte[PAGE];
        private final ByteBuffer inOnHeap = ByteBuffer.wrap(in);
        private final ByteBuffer inDirect = ByteBuffer.allocateDirect(PAGE);
        private long end;
        private long good;

        Pages(long count) {
            this.count = count;
        }

        void begin(int mark) {
            Arrays.fill(out, (byte) mark);
            outDirect.clear().put(out);
            end = outOnHeap.getLong(PAGE - Long.BYTES);
            good = 0;
        }

        long count() {
            return count;
        }

        /** Returns what page {@code number} holds; until the next call. */
        byte[] bytes(long number) {
            outOnHeap.putLong(0, number);
            return out;
        }

        /** As {@link #bytes}, outside the heap. */
        ByteBuffer direct(long number) {
            return outDirect.putLong(0, number).clear();
        }

        /** Where a page is to be read to, before {@link #checkBytes}. */
        byte[] toBytes() {
            return in;
        }

        /** Where a page is to be read to, before {@link #checkDirect}. */
        ByteBuffer toDirect() {
            return inDirect.clear();
        }

        void checkBytes(long number) {
            check(number, inOnHeap);
        }

        void checkDirect(long number) {
            check(number, inDirect);
        }

        private void check(long number, ByteBuffer read) {
            good += read.getLong(0) == number && read.getLong(PAGE - Long.BYTES) == end ? 1 : 0;
        }

        long good() {
            return good;
        }

        /** How many pages of the file hold what they should, in every byte. */
        long checkAll(Path file) throws IOException {
            long same = 0;
            ByteBuffer piece = ByteBuffer.allocateDirect(PIECE);
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                for (long number = 0; number < count; ) {
                    piece.clear();
                    while (piece.hasRemaining() && channel.read(piece) >= 0) {}
                    piece.flip();
                    if (piece.remaining() < PAGE) {
                        return same;
                    }
                    for (; piece.remaining() >= PAGE; number++) {
                        same += direct(number).equals(piece.slice(piece.position(), PAGE)) ? 1 : 0;
                        piece.position(piece.position() + PAGE);
                    }
                }
            }
            return same;
        }
    }

    private interface Way {
        void write(Path file, Pages pages) throws IOException;

        void read(Path file, Pages pages) throws IOException;
    }

    /** Writes, reads and checks the file once a round. */
    private static final class Passes implements Workload {
        private final Path file;
        private final Pages pages;
        private final Way way;
        private int mark;

        Passes(Plan plan, long size, Way way) throws IOException {
            this.way = way;
            pages = new Pages(size / PAGE);
            file = Files.createTempFile(plan.directory(), "pages", ".data");
            byte[] zeros = new byte[1 << 20];
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                for (long done = 0; done < size; done += zeros.length) {
                    channel.write(ByteBuffer.wrap(zeros, 0, (int) Math.min(zeros.length, size - done)));
                }
            }
            // The checks take most of a round, so that the warm-up alone would leave the other code too young.
            long most = plan.size(1, 15, 1);
            long startNanos = System.nanoTime();
            while (mark < most && System.nanoTime() - startNanos < ENOUGH_NANOS) {
                pages.begin(++mark);
                way.write(file, pages);
                way.read(file, pages);
            }
        }

        @Override
        public void run(Round round) throws Exception {
            pages.begin(++mark);
            long start = System.nanoTime();
            way.write(file, pages);
            long written = System.nanoTime();
            way.read(file, pages);
            long read = System.nanoTime();
            double megabytes = pages.count() * PAGE / 1e6;
            round.record("write MB/s", megabytes * 1e9 / (written - start));
            round.record("read MB/s", megabytes * 1e9 / (read - written));
            round.check("pages read as written", pages.count(), pages.good());
            round.check("pages in the file as written", pages.count(), pages.checkAll(file));
        }

        @Override
        public void close() throws IOException {
            Files.delete(file);
        }
    }

    private static final class ByRandomAccess implements Way {
        @Override
        public void write(Path file, Pages pages) throws IOException {
            try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
                for (long i = 0; i < pages.count(); i++) {
                    out.write(pages.bytes(i));
                }
            }
        }

        @Override
        public void read(Path file, Pages pages) throws IOException {
            try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
                for (long i = 0; i < pages.count(); i++) {
                    in.readFully(pages.toBytes());
                    pages.checkBytes(i);
                }
            }
        }
    }

    /**
     * Opened so that the file stays as long as it is: {@code new FileOutputStream(file)} would allocate it anew. Kept
     * in fields as a program would: as local variables they wrote eight times as fast in some forks and not in others,
     * presumably where the compiler merged the locks of several bytes. Why was not looked into.
     */
    private static final class ByStream implements Way {
        private OutputStream out = OutputStream.nullOutputStream();
        private InputStream in = InputStream.nullInputStream();

        @Override
        public void write(Path file, Pages pages) throws IOException {
            try (RandomAccessFile whole = new RandomAccessFile(file.toFile(), "rw");
                    OutputStream opened = new BufferedOutputStream(new FileOutputStream(whole.getFD()), PAGE)) {
                out = opened;
                for (long i = 0; i < pages.count(); i++) {
                    byte[] page = pages.bytes(i);
                    for (int j = 0; j < PAGE; j++) {
                        out.write(page[j]);
                    }
                }
            }
        }

        @Override
        public void read(Path file, Pages pages) throws IOException {
            byte[] page = pages.toBytes();
            try (InputStream opened = new BufferedInputStream(new FileInputStream(file.toFile()), PAGE)) {
                in = opened;
                for (long i = 0; i < pages.count(); i++) {
                    for (int j = 0; j < PAGE; j++) {
                        page[j] = (byte) in.read();
                    }
                    pages.checkBytes(i);
                }
            }
        }
    }

    private static final class ByChannel implements Way {
        @Override
        public void write(Path file, Pages pages) throws IOException {
            try (FileChannel out = FileChannel.open(file, StandardOpenOption.WRITE)) {
                for (long i = 0; i < pages.count(); i++) {
                    out.write(pages.direct(i));
                }
            }
        }

        @Override
        public void read(Path file, Pages pages) throws IOException {
            try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ)) {
                for (long i = 0; i < pages.count(); i++) {
                    in.read(pages.toDirect());
                    pages.checkDirect(i);
                }
            }
        }
    }

    private static final class ByMapping implements Way {
        @Override
        public void write(Path file, Pages pages) throws IOException {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                ByteBuffer mapped = ByteBuffer.allocate(0);
                for (long i = 0; i < pages.count(); i++) {
                    if (!mapped.hasRemaining()) {
                        mapped = map(channel, FileChannel.MapMode.READ_WRITE, i * PAGE, pages.count());
                    }
                    mapped.put(pages.direct(i));
                }
            }
        }

        @Override
        public void read(Path file, Pages pages) throws IOException {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                ByteBuffer mapped = ByteBuffer.allocate(0);
                for (long i = 0; i < pages.count(); i++) {
                    if (!mapped.hasRemaining()) {
                        mapped = map(channel, FileChannel.MapMode.READ_ONLY, i * PAGE, pages.count());
                    }
                    mapped.get(pages.toBytes());
                    pages.checkBytes(i);
                }
            }
        }

        private static ByteBuffer map(FileChannel channel, FileChannel.MapMode mode, long from, long pages)
                throws IOException {
            return channel.map(mode, from, Math.min(MAPPING, pages * PAGE - from));
        }
    }
}
