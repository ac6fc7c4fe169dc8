package io.slipstream.lab.experiment.io;

import io.slipstream.lab.Plan;
import io.slipstream.lab.Round;
import io.slipstream.lab.Workload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Writes, reads and checks the file once a round. */
final class FilePasses implements Workload {
    private static final long ENOUGH_NANOS = 500_000_000;

    private final Path file;
    private final FilePages pages;
    private final FileWay way;
    private int mark;

    FilePasses(Plan plan, long size, FileWay way) throws IOException {
        this.way = way;
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
        double megabytes = pages.count() * FilePages.PAGE / 1e6;
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
