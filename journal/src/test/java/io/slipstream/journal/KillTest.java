package io.slipstream.journal;

import io.slipstream.journal.tool.JournalTool;
import io.slipstream.journal.tool.Report;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Kills a process that appends, at random moments, and looks at what is there afterwards. With {@code KILLS=1000} in
 * the environment it does so that often.
 */
@Timeout(3600)
class KillTest {
    private static final int KILLS = Integer.parseInt(System.getenv().getOrDefault("KILLS", "100"));
    private static final int THREADS = 2;
    private static final int SEGMENT = 64 << 10;

    @TempDir
    Path temp;

    @Test
    void losesNothingAcknowledgedAndInventsNothingHoweverOftenItIsKilled() throws Exception {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        List<Durability> levels = List.of(Durability.values());
        List<WriteMode> modes = canWriteDirectly() ? List.of(WriteMode.values())
                : List.of(WriteMode.BUFFERED, WriteMode.MAPPED, WriteMode.DSYNC);
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<Future<?>> lives = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                int first = thread;
                SplittableRandom own = random.split();
                lives.add(threads.submit(() -> {
                    for (int kill = first; kill < KILLS; kill += THREADS) {
                        Durability durability = levels.get(own.nextInt(levels.size()));
                        WriteMode mode = modes.get(kill / THREADS % modes.size());
                        boolean trims = own.nextBoolean();
                        int prepared = 1 + own.nextInt(4);
                        String what = "kill " + kill + " of seed " + seed + ", " + durability + " " + mode + ", "
                                + (trims ? "trims" : "keeps all") + ", " + prepared + " prepared";
                        live(temp.resolve("journal-" + kill % (4 * THREADS)), durability, mode, trims, prepared,
                                own.nextInt(200), what);
                    }
                    return null;
                }));
            }
            for (Future<?> life : lives) {
                life.get();
            }
        }
    }

    private boolean canWriteDirectly() throws JournalException {
        try (Journal journal = Journal.open(temp.resolve("direct"), JournalConfig.at(Durability.PROCESS)
                .withSegmentBytes(SEGMENT).withWriteMode(WriteMode.DIRECT))) {
            return journal.failure() == null;
        } catch (JournalException e) {
            assertThat(e).hasMessageContaining("cannot write past the page cache");
            return false;
        }
    }

    private static void live(Path folder, Durability durability, WriteMode mode, boolean trims, int prepared, int lines,
                             String what) throws Exception {
        long acked;
        try (ChildProcess child = ChildProcess.appending(List.of(), folder, durability, mode, SEGMENT, trims, prepared)) {
            String open = Objects.requireNonNull(child.nextLine());
            assertThat(open).as(what).startsWith("open ");
            acked = number(open);
            for (int i = 0; i < lines; i++) {
                acked = number(Objects.requireNonNull(child.nextLine()));
            }
            for (String line : child.kill()) {
                acked = line.matches("acked \\d+") ? Math.max(acked, number(line)) : acked;
            }
        }
        checkAfter(folder, durability, acked, what);
    }

    @Test
    void isLockedWhileItsProcessLivesAndFreeAsSoonAsItIsDead() throws Exception {
        Path folder = temp.resolve("locked");
        try (ChildProcess child = ChildProcess.appending(List.of(), folder, Durability.PROCESS, WriteMode.BUFFERED,
                SEGMENT)) {
            child.nextLine();
            assertThatThrownBy(() -> Journal.open(folder, JournalConfig.at(Durability.PROCESS)))
                    .isInstanceOf(JournalLockedException.class).hasMessageContaining(folder.toString());
            child.kill();
            Journal.open(folder, JournalConfig.at(Durability.PROCESS).withSegmentBytes(SEGMENT)).close();
        }
    }

    private static boolean canMakeNamespaces() throws InterruptedException {
        try {
            return new ProcessBuilder("unshare", "--pid", "--fork", "true").start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** Closing any channel of the lock file frees the lock for the whole process: a refusal must not have opened one. */
    @Test
    void staysLockedForOtherProcessesWhileThisOneIsRefusedASecondOpening() throws Exception {
        Path folder = temp.resolve("locked");
        JournalConfig config = JournalConfig.at(Durability.PROCESS).withSegmentBytes(SEGMENT);
        try (Journal _ = Journal.open(folder, config)) {
            Path alias = Files.createSymbolicLink(temp.resolve("alias"), folder);
            for (Path name : List.of(folder, alias, folder.resolve("../locked"))) {
                assertThatThrownBy(() -> Journal.open(name, config)).isInstanceOf(JournalLockedException.class);
            }
            try (JournalTool tool = new JournalTool(folder, new Report(System.out, false))) {
                assertThatThrownBy(() -> tool.repair(false)).isInstanceOf(JournalLockedException.class);
            }
            assertThat(outputOfAnotherProcess(folder)).contains(JournalLockedException.class.getName());
        }
        Journal.open(folder, config).close();
    }

    private static String outputOfAnotherProcess(Path folder) throws Exception {
        try (ChildProcess child = ChildProcess.appending(List.of(), folder, Durability.PROCESS, WriteMode.BUFFERED,
                SEGMENT)) {
            return child.nextLine() + child.nextLine() + child.kill();
        }
    }

    /** In a container each process that restarts has the number 1 again: no file with a number in it could tell them apart. */
    @Test
    void isFreeAlsoForTheNextFirstProcessOfAContainer() throws Exception {
        List<String> container = List.of("unshare", "--pid", "--fork", "--kill-child");
        assumeTrue(canMakeNamespaces(), "needs a namespace of processes");
        Path folder = temp.resolve("container");
        long acked = 0;
        for (int life = 0; life < 3; life++) {
            try (ChildProcess child = ChildProcess.appending(container, folder, Durability.PROCESS, WriteMode.BUFFERED, SEGMENT)) {
                assertThat(child.nextLine()).isEqualTo("open " + acked);
                acked = number(Objects.requireNonNull(child.nextLine()));
                assertThatThrownBy(() -> Journal.open(folder, JournalConfig.at(Durability.PROCESS)))
                        .isInstanceOf(JournalLockedException.class);
                for (String line : child.kill()) {
                    acked = line.matches("acked \\d+") ? number(line) : acked;
                }
            }
            checkAfter(folder, Durability.PROCESS, acked, "life " + life);
            try (Journal journal = Journal.open(folder, JournalConfig.at(Durability.PROCESS).withSegmentBytes(SEGMENT))) {
                acked = journal.nextSequence() - 1;
            }
        }
    }

    private static void checkAfter(Path folder, Durability durability, long acked, String what) throws Exception {
        try (Journal journal = Journal.open(folder, JournalConfig.at(durability).withSegmentBytes(SEGMENT))) {
            assertThat(journal.recovery().lastSequence()).as(what).isGreaterThanOrEqualTo(acked);
            List<String> wrong = new ArrayList<>();
            long[] sequence = {journal.firstSequence() - 1};
            journal.read(journal.firstSequence(), (memory, offset, length) -> {
                sequence[0]++;
                String payload = Records.payload(memory, offset, length);
                if (!payload.equals(AppendingProcess.payload(sequence[0]))) {
                    wrong.add(payload);
                }
            });
            assertThat(wrong).as(what).isEmpty();
            assertThat(sequence[0]).as(what).isEqualTo(journal.recovery().lastSequence());
            try (Tailer tailer = journal.tailer("follower")) {
                long rest = sequence[0] - tailer.committedSequence();
                assertThat(tailer.poll((memory, offset, length) -> { }, Integer.MAX_VALUE)).as(what).isEqualTo((int) rest);
                tailer.commit();
            }
            journal.trim(journal.nextSequence() - 500);
        }
    }

    private static long number(String line) {
        return Long.parseLong(line.substring(line.indexOf(' ') + 1));
    }
}
