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
import io.slipstream.lab.Sample;
import io.slipstream.lab.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** B8: a pre-allocated file, written and read in order in four ways. */
public final class SequentialFileIo implements Experiment {
    private static final String MACHINE = "Sandy Bridge 2.0 GHz, Intel 320, December 2011";
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
                        "RandomAccessFile, 8 GB", "read 245–275 MB/s", MACHINE, "RandomAccessFile", "8 GB", "read MB/s")
                .reported(
                        "Buffered streams, 8 GB",
                        "write 131–155 MB/s",
                        MACHINE,
                        "buffered stream",
                        "8 GB",
                        "write MB/s")
                .reported(
                        "Buffered streams, 8 GB", "read 146–253 MB/s", MACHINE, "buffered stream", "8 GB", "read MB/s")
                .reported("FileChannel, 8 GB", "write 187–193 MB/s", MACHINE, "FileChannel", "8 GB", "write MB/s")
                .reported("FileChannel, 8 GB", "read 211–223 MB/s", MACHINE, "FileChannel", "8 GB", "read MB/s")
                .reported("Memory-mapped, 8 GB", "write 120–123 MB/s", MACHINE, "mapped", "8 GB", "write MB/s")
                .reported("Memory-mapped, 8 GB", "read 230–232 MB/s", MACHINE, "mapped", "8 GB", "read MB/s")
                .plot(Plot.bars("write MB/s"))
                .plot(Plot.bars("read MB/s"))
                .plot(Plot.bars("page write MB/s"))
                .plot(Plot.bars("page read MB/s"))
                .takes(Duration.ofSeconds(23), Duration.ofMinutes(270))
                .rule("Holds when, byte by byte and with the smaller file, buffered streams are the slowest of the four"
                        + " by at least a fifth, in writing and in reading; RandomAccessFile reads at least 2.5 times"
                        + " as fast as a mapping (reported: about 5); and, where 8 GB were measured too, the fastest"
                        + " and the slowest are closer together there,"
                        + " which a memory of more than 8 GB leaves open. Page"
                        + " by page is shown, and not judged.")
                .explanation("""
                    Nothing is forced to the disk here, and a file that fits into memory is read from the page
                    cache: what differs is the way through the kernel and through the library. The article's
                    programs pass each byte by hand and add it to a checksum, in all four ways; so do those that
                    are judged. A stream takes each byte through its buffer's lock and checks, a buffer and a
                    mapping check a bound, an array costs next to nothing. A mapping pays a page fault for each
                    first touch instead of a system call for each page.

                    A program that has whole pages hands them over as they are. The "page" charts show that: the
                    stream's buffer plays no part then, and the channel reads and writes outside the heap.

                    All four write into the file that is there; a stream that is opened by name would first give
                    up its room. What the file holds is compared with what was written when the clock has stopped.

                    Pre-allocate, write whole aligned blocks, and write many records with one call. Slipstream's
                    journal does one positional write for each batch. Files larger than memory are bound by the
                    device, and the four come closer.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        long file = plan.size("bytes of a file", 1 << 20, 16L << 20, 400L << 20);
        List<Long> sizes = plan.form() == Form.FULL ? List.of(file, LARGE) : List.of(file);
        for (long size : sizes) {
            String x = size == sizes.get(0) ? "" : Figure.bytes(size);
            plan.add("RandomAccessFile", x, () -> new FilePasses(plan, size, size == LARGE, FileWay.randomAccess()))
                    .needsRoom(plan.directory(), size)
                    .needsDisk();
            plan.add("buffered stream", x, () -> new FilePasses(plan, size, size == LARGE, FileWay.streams()))
                    .needsRoom(plan.directory(), size)
                    .needsDisk();
            plan.add("FileChannel", x, () -> new FilePasses(plan, size, size == LARGE, FileWay.channel()))
                    .needsRoom(plan.directory(), size)
                    .needsDisk();
            plan.add("mapped", x, () -> new FilePasses(plan, size, size == LARGE, FileWay.mapping()))
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
        Verdict verdict = gap(found, large, metric)
                .atMost(small, "The fastest against the slowest at " + large + " (" + metric + "), more at 400 MB:");
        Sample memory = found.find("FileChannel", large, FilePasses.MEMORY);
        return memory == null || memory.median() <= 1
                ? verdict
                : Verdict.cannotTell(verdict.reason() + " The larger file fits into the memory of this machine.");
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
}
