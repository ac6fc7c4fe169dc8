package io.slipstream.lab.experiment.io;

import com.sun.management.OperatingSystemMXBean;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Round;
import io.slipstream.lab.Workload;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Writes, reads and checks the file in each round: byte by byte, and, unless it is the large one, page by page. */
final class FilePasses implements Workload {
    /** How much of it the memory of this machine could hold; recorded of the large file. */
    static final String MEMORY = "memory for each byte of the file";

    private static final long ENOUGH_NANOS = 400_000_000;

    private final Path file;
    private final FilePages pages;
    private final FileWay way;
    private final boolean isLarge;
    private int mark;

    FilePasses(Plan plan, long size, boolean isLarge, FileWay way) throws IOException {
        this.way = way;
        this.isLarge = isLarge;
        pages = new FilePages(size / FilePages.PAGE);
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
            way.writeBytes(file, pages);
            way.readBytes(file, pages);
            way.writePages(file, pages);
            way.readPages(file, pages);
        }
    }

    @Override
    public void run(Round round) throws Exception {
        pages.begin(++mark);
        long start = System.nanoTime();
        long sum = way.writeBytes(file, pages);
        long written = System.nanoTime();
        long sumRead = way.readBytes(file, pages);
        long read = System.nanoTime();
        record(round, "", written - start, read - written);
        round.check("checksum", sum, sumRead);
        if (isLarge) {
            round.record(MEMORY, (double) memoryBytes() / (pages.count() * FilePages.PAGE));
            return;
        }
        pages.begin(++mark);
        start = System.nanoTime();
        way.writePages(file, pages);
        written = System.nanoTime();
        way.readPages(file, pages);
        read = System.nanoTime();
        record(round, "page ", written - start, read - written);
    }

    private void record(Round round, String form, long writeNanos, long readNanos) throws IOException {
        double megabytes = pages.count() * FilePages.PAGE / 1e6;
        round.record(form + "write MB/s", megabytes * 1e9 / writeNanos);
        round.record(form + "read MB/s", megabytes * 1e9 / readNanos);
        round.check("pages read as written", pages.count(), pages.good());
        round.check("pages in the file as written", pages.count(), pages.checkAll(file));
    }

    private static long memoryBytes() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getTotalMemorySize();
    }

    @Override
    public void close() throws IOException {
        Files.delete(file);
    }
}
