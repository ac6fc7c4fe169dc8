package io.slipstream.lab.experiment.io;

import io.slipstream.lab.Card;
import io.slipstream.lab.Case;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Verdict;
import io.slipstream.lab.Workload;
import io.slipstream.lab.machine.Programs;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/** B25: create and delete a small file. */
public final class SmallFiles implements Experiment {
    private static final int BYTES = 256;

    /** What a file takes: a block, its inode and its entry in a directory. */
    private static final int FILE_BYTES = 4096 + 1024;

    @Override
    public Card card() {
        return Card.of("B25", "tmpfs against disks", Group.IO)
                .question(
                        "How long does it take to create a file of 256 bytes and to delete it, in memory and on disk?")
                .reported("tmpfs, create", "7.2 µs (older machine 19.9)", "August 2011", "tmpfs", "", "create µs")
                .reported("tmpfs, delete", "3.9 µs (8.9)", "August 2011", "tmpfs", "", "delete µs")
                .reported(
                        "SSD, create",
                        "22.9 µs (7,200 rpm disk 42.9; NFS 11,238)",
                        "August 2011",
                        "disk",
                        "",
                        "create µs")
                .reported(
                        "SSD, delete",
                        "9.1 µs (7,200 rpm disk 24.1; NFS 5,294)",
                        "August 2011",
                        "disk",
                        "",
                        "delete µs")
                .plot(Plot.bars("create µs"))
                .plot(Plot.bars("delete µs"))
                .takes(Duration.ofSeconds(5), Duration.ofMinutes(10))
                .rule("Holds when creating takes at least 1.5 times, and deleting at least 1.2 times as long on disk"
                        + " as in tmpfs.")
                .explanation("""
                    Neither waits for a device: the disk's file system writes to the page cache and to its journal
                    in memory, and is slower only by that bookkeeping. A force would add the device's own time,
                    which is the price of surviving a power loss.

                    The names were looked up before, so the kernel knows that they are free; otherwise it searches
                    the directory while it creates, which on ext4 takes a few microseconds more. An ext4 without a
                    journal also searches past the inodes of the same group that were freed in the last minutes, so
                    that creating right after many deletions takes many times as long. Each round therefore has a
                    directory in another group, where chattr can mark their parent with T, for which ext4 does so.

                    Use tmpfs (/dev/shm) for what need not survive the machine: shared memory between processes,
                    scratch files. Use few large files instead of many small ones for what must.\
                    """);
    }

    @Override
    public void plan(Plan plan) {
        int files = plan.count("files", 10, 1_000, 100_000);
        plan.add("disk", () -> files(spreading(plan.directory()), files))
                .needsRoom(plan.directory(), files * (long) FILE_BYTES)
                .needsDisk();
        Path memory = plan.memory();
        Case tmpfs = plan.add("tmpfs", () -> files(memory == null ? plan.directory() : memory, files))
                .needsRoom(memory == null ? plan.directory() : memory, files * (long) FILE_BYTES)
                .needsMemory(files * (long) FILE_BYTES);
        if (memory == null) {
            tmpfs.skip("there is no writable /dev/shm");
        }
    }

    @Override
    public Verdict judge(Findings found) {
        return found.claims(
                () -> found.ratio("create µs", "disk", "tmpfs").atLeast(1.5, "Creating on disk against tmpfs:"),
                () -> found.ratio("delete µs", "disk", "tmpfs").atLeast(1.2, "Deleting on disk against tmpfs:"));
    }

    /** A directory whose directories ext4 puts far from each other; other file systems do not know the mark. */
    private static Path spreading(Path directory) throws IOException, InterruptedException {
        if (Programs.has("chattr")) {
            new ProcessBuilder("chattr", "+T", directory.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        }
        return directory;
    }

    private static Workload files(Path directory, int count) {
        byte[] content = new byte[BYTES];
        File[] files = new File[count];
        return round -> {
            Path own = Files.createTempDirectory(directory, "files");
            for (int i = 0; i < count; i++) {
                files[i] = own.resolve("f" + i).toFile();
            }
            // Who looks before creating leaves the kernel the knowledge that there is no such file.
            long there = Stream.of(files).filter(File::exists).count();
            round.check("files before", 0, there);
            long start = System.nanoTime();
            for (File file : files) {
                try (FileOutputStream out = new FileOutputStream(file)) {
                    out.write(content);
                }
            }
            long created = System.nanoTime();
            round.check("size of the last file", BYTES, files[count - 1].length());
            long deleted = 0;
            long checked = System.nanoTime();
            for (File file : files) {
                // One system call, where Files.delete looks at the file before.
                deleted += file.delete() ? 1 : 0;
            }
            long end = System.nanoTime();
            Files.delete(own);
            round.record("create µs", (created - start) / 1e3 / count);
            round.record("delete µs", (end - checked) / 1e3 / count);
            round.check("deleted files", count, deleted);
        };
    }
}
