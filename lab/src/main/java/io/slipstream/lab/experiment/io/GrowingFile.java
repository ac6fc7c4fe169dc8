package io.slipstream.lab.experiment.io;

import io.slipstream.lab.Card;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Round;
import io.slipstream.lab.Verdict;
import io.slipstream.lab.Workload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/** C1: the same pages written into a file that is there, and into one that grows. */
public final class GrowingFile implements Experiment {
    private static final int PAGE = 4096;

    @Override
    public Card card() {
        return Card.of("C1", "Pre-allocated and growing files", Group.IO)
                .question("What does a file that grows with every write cost against one that has its length already?")
                .reported(
                        "Extending a file all the time",
                        "a significant overhead, and jitter",
                        "Sandy Bridge 2.0 GHz, Intel 320, December 2011",
                        "growing",
                        "",
                        "write MB/s")
                .plot(Plot.bars("write MB/s"))
                .takes(Duration.ofSeconds(5), Duration.ofMinutes(3))
                .rule("The source tells no factor, so the line is ours: holds when the pre-allocated file is written at"
                        + " least 1.2 times as fast.")
                .explanation("""
                    A write past the end of a file asks the file system for blocks and pages and changes the file's
                    length, each time. A file that was written once has all three.

                    Allocate segments before they are needed, off the hot path, as Slipstream's journal does.
                    Nothing is forced to the disk here.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        long bytes = plan.size("bytes of a file", 1 << 20, 16L << 20, 400L << 20);
        plan.add("pre-allocated", () -> new Writes(plan.directory(), bytes, false))
                .needsRoom(plan.directory(), bytes)
                .needsDisk();
        plan.add("growing", () -> new Writes(plan.directory(), bytes, true))
                .needsRoom(plan.directory(), bytes)
                .needsDisk();
    }

    @Override
    public Verdict judge(Findings found) {
        return found.ratio("write MB/s", "pre-allocated", "growing").atLeast(1.2, "Pre-allocated against growing:");
    }

    private static final class Writes implements Workload {
        private final ByteBuffer page = ByteBuffer.allocateDirect(PAGE);
        private final Path file;
        private final long pages;
        private final boolean grows;

        Writes(Path directory, long bytes, boolean grows) throws IOException {
            this.grows = grows;
            pages = bytes / PAGE;
            file = Files.createTempFile(directory, "growing", ".data");
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                write(channel);
            }
        }

        @Override
        public void run(Round round) throws IOException {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                if (grows) {
                    channel.truncate(0);
                }
                long start = System.nanoTime();
                write(channel);
                long nanos = System.nanoTime() - start;
                round.record("write MB/s", pages * PAGE / 1e6 * 1e9 / nanos);
                round.check("length of the file", pages * PAGE, channel.size());
            }
        }

        private void write(FileChannel channel) throws IOException {
            for (long i = 0; i < pages; i++) {
                page.clear().putLong(0, i);
                while (page.hasRemaining()) {
                    channel.write(page);
                }
            }
        }

        @Override
        public void close() throws IOException {
            Files.delete(file);
        }
    }
}
