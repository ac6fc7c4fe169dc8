package io.slipstream.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.config.WriteMode;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.errors.JournalLockedException;
import io.slipstream.journal.tool.JournalTool;
import io.slipstream.journal.tool.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a process that appends, at random moments, and looks at what is there afterwards. With
 * {@code -Dslipstream.kills=1000} it does so that often.
 */
class KillTest {
    private static final int KILLS =
            Integer.getInteger("slipstream.journal.kills", Integer.getInteger("slipstream.kills", 12));
    private static final int THREADS = 2;
    private static final int SEGMENT = 64 << 10;

    @TempDir
    Path temp;

    @Test
    void losesNothingAcknowledgedAndInventsNothingHoweverOftenItIsKilled() throws Exception {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        List<Durability> levels = List.of(Durability.values());
        List<WriteMode> modes = canWriteDirectly()
                ? List.of(WriteMode.values())
                : List.of(WriteMode.BUFFERED, WriteMode.MAPPED, WriteMode.DSYNC);
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<History> histories = IntStream.range(0, 4 * THREADS)
                    .mapToObj(i -> new History(temp.resolve("journal-" + i)))
                    .toList();
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
                        live(
                                histories.get(kill % histories.size()),
                                durability,
                                mode,
                                trims,
                                prepared,
                                own.nextInt(200),
                                "kill " + kill,
                                what);
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
        try (Journal journal = Journal.open(
                temp.resolve("direct"),
                JournalConfig.at(Durability.PROCESS).withSegmentBytes(SEGMENT).withWriteMode(WriteMode.DIRECT))) {
            return journal.failure() == null;
        } catch (JournalException e) {
            assertThat(e).hasMessageContaining("cannot write past the page cache");
            return false;
        }
    }

    private static void live(
            History history,
            Durability durability,
            WriteMode mode,
            boolean trims,
            int prepared,
            int acks,
            String life,
            String what)
            throws Exception {
        List<String> said;
        try (ChildProcess child =
                ChildProcess.appending(List.of(), history.folder, durability, mode, SEGMENT, trims, prepared, life)) {
            history.begin(life, child, what);
            said = untilAcked(child, acks);
            said.addAll(child.kill());
        }
        history.check(durability, said, what);
    }

    /** What is looked for would be overlooked if these went by unnoticed. */
    @Test
    void noticesRecordsOfAnotherLifeAndThoseThatNobodyWasAboutToAppend() throws Exception {
        History history = new History(temp.resolve("journal"));
        live(history, Durability.PROCESS, WriteMode.BUFFERED, false, 1, 3, "first", "first");
        List<String> said;
        try (ChildProcess child = ChildProcess.appending(
                List.of(), history.folder, Durability.PROCESS, WriteMode.BUFFERED, SEGMENT, false, 1, "second")) {
            history.begin("third", child, "second");
            said = untilAcked(child, 3);
            said.addAll(child.kill());
        }
        assertThatThrownBy(() -> history.check(Durability.PROCESS, said, "life"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("second instead of");
        assertThatThrownBy(() -> history.check(Durability.PROCESS, List.of(), "bound"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("to be less than or equal to");
    }

    @Test
    void isLockedWhileItsProcessLivesAndFreeAsSoonAsItIsDead() throws Exception {
        Path folder = temp.resolve("locked");
        try (ChildProcess child =
                ChildProcess.appending(List.of(), folder, Durability.PROCESS, WriteMode.BUFFERED, SEGMENT)) {
            child.nextLine();
            assertThatThrownBy(() -> Journal.open(folder, JournalConfig.at(Durability.PROCESS)))
                    .isInstanceOf(JournalLockedException.class)
                    .hasMessageContaining(folder.toString());
            child.kill();
            Journal.open(folder, JournalConfig.at(Durability.PROCESS).withSegmentBytes(SEGMENT))
                    .close();
        }
    }

    private static boolean canMakeNamespaces() throws InterruptedException {
        try {
            return new ProcessBuilder("unshare", "--pid", "--fork", "true")
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Closing any channel of the lock file frees the lock for the whole process: a refusal must not have opened one.
     */
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
        try (ChildProcess child =
                ChildProcess.appending(List.of(), folder, Durability.PROCESS, WriteMode.BUFFERED, SEGMENT)) {
            return child.nextLine() + child.nextLine() + child.kill();
        }
    }

    /**
     * In a container each process that restarts has the number 1 again: no file with a number in it could tell them
     * apart.
     */
    @Test
    void isFreeAlsoForTheNextFirstProcessOfAContainer() throws Exception {
        List<String> container = List.of("unshare", "--pid", "--fork", "--kill-child");
        assumeTrue(canMakeNamespaces(), "needs a namespace of processes");
        Path folder = temp.resolve("container");
        History history = new History(folder);
        for (int i = 0; i < 3; i++) {
            String life = "life " + i;
            List<String> said;
            try (ChildProcess child = ChildProcess.appending(
                    container, folder, Durability.PROCESS, WriteMode.BUFFERED, SEGMENT, false, 1, life)) {
                history.begin(life, child, life);
                said = untilAcked(child, 1);
                assertThatThrownBy(() -> Journal.open(folder, JournalConfig.at(Durability.PROCESS)))
                        .isInstanceOf(JournalLockedException.class);
                said.addAll(child.kill());
            }
            history.check(Durability.PROCESS, said, life);
        }
    }

    /** Reads what the process says up to its acknowledgement of this number. */
    private static List<String> untilAcked(ChildProcess child, int acks) throws IOException {
        List<String> said = new ArrayList<>();
        for (int acked = 0; acked < acks; ) {
            String line = Objects.requireNonNull(child.nextLine(), said::toString);
            said.add(line);
            acked += line.startsWith("acked ") ? 1 : 0;
        }
        return said;
    }

    /** One journal through all its lives, each of which goes on where the one before was found to end. */
    private static final class History {
        private final Path folder;
        private final NavigableMap<Long, String> lives = new TreeMap<>();
        private long last;

        History(Path folder) {
            this.folder = folder;
        }

        /** Begins a life: what comes behind all that was found must be of that life. */
        void begin(String life, ChildProcess child, String what) throws IOException {
            assertThat(child.nextLine()).as(what).isEqualTo("open " + last);
            lives.put(last + 1, life);
        }

        /** Looks at what a life, which is over, has left. */
        void check(Durability durability, List<String> said, String what) throws JournalException {
            try (Journal journal =
                    Journal.open(folder, JournalConfig.at(durability).withSegmentBytes(SEGMENT))) {
                long found = journal.recovery().lastSequence();
                assertThat(found)
                        .as(what)
                        .isGreaterThanOrEqualTo(greatest("acked", said))
                        .isLessThanOrEqualTo(greatest("appending", said));
                List<String> wrong = new ArrayList<>();
                long[] sequence = {journal.firstSequence() - 1};
                journal.read(journal.firstSequence(), (memory, offset, length) -> {
                    String due = due(++sequence[0]);
                    String payload = Records.payload(memory, offset, length);
                    if (wrong.size() < 3 && !payload.equals(due)) {
                        wrong.add(payload + " instead of " + due);
                    }
                });
                assertThat(wrong).as(what).isEmpty();
                assertThat(sequence[0]).as(what).isEqualTo(found);
                try (Tailer tailer = journal.tailer("follower")) {
                    long rest = sequence[0] - tailer.committedSequence();
                    assertThat(tailer.poll((memory, offset, length) -> {}, Integer.MAX_VALUE))
                            .as(what)
                            .isEqualTo((int) rest);
                    tailer.commit();
                }
                journal.trim(journal.nextSequence() - 500);
                last = found;
            }
        }

        private String due(long sequence) {
            return AppendingProcess.payload(
                    sequence, Objects.requireNonNull(lives.floorEntry(sequence)).getValue());
        }

        /** Returns the greatest number said with this word; a life that never said it has done nothing. */
        private long greatest(String word, List<String> said) {
            return said.stream()
                    .filter(line -> line.matches(word + " \\d+"))
                    .mapToLong(line -> Long.parseLong(line.substring(word.length() + 1)))
                    .max()
                    .orElse(last);
        }
    }
}
