package io.slipstream.benchmarks.journal;

import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.journal.Journal;
import io.slipstream.journal.config.JournalConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Opening a large journal, all of which is checked, beside reading its files; in seconds. */
final class RecoveryContest implements Contest {
    private static final int BATCH = 512;
    private static final int MEGABYTE = 1 << 20;

    private final Path folder = Folders.create();
    private final JournalConfig config;
    private final long records;

    RecoveryContest(JournalConfig config, int payloadBytes, long bytes) throws IOException {
        this.config = config;
        this.records = bytes / 128 / BATCH * BATCH;
        OurJournal.append(folder, config, payloadBytes, (int) records, BATCH);
    }

    @Override
    public double ours() throws Exception {
        long begin = System.nanoTime();
        try (Journal journal = Journal.open(folder, config)) {
            long nanos = System.nanoTime() - begin;
            if (journal.recovery().records() != records) {
                throw new IllegalStateException(
                        "there are " + journal.recovery().records() + " records");
            }
            return nanos / 1e9;
        }
    }

    @Override
    public double peer() throws IOException {
        List<Path> files;
        try (Stream<Path> paths = Files.list(folder)) {
            files = paths.filter(path -> path.toString().endsWith(".journal"))
                    .sorted()
                    .toList();
        }
        ByteBuffer buffer = ByteBuffer.allocateDirect(MEGABYTE);
        long begin = System.nanoTime();
        for (Path file : files) {
            try (FileChannel channel = FileChannel.open(file)) {
                while (channel.read(buffer.clear()) > 0) {
                    Thread.onSpinWait();
                }
            }
        }
        return (System.nanoTime() - begin) / 1e9;
    }

    @Override
    public void close() throws IOException {
        Folders.remove(folder);
    }
}
