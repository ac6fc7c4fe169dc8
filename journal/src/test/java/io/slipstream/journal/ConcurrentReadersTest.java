package io.slipstream.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.record.JournalRecord;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Threads that read, beside an owner who appends, trims, and uses the files of trimmed segments again. */
class ConcurrentReadersTest {
    private static final int KEPT = 300;
    private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    @TempDir
    private Path folder;

    private final AtomicBoolean done = new AtomicBoolean();
    private final AtomicLong steps = new AtomicLong();
    private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();

    /** Who is too slow is told so; nobody sees another record than the one that is due. */
    @Test
    void seeTheRecordsThatAreDueOrThatTheyWereTrimmed() throws Exception {
        besideAnOwner(journal -> {
            try (JournalReader reader = journal.reader(journal.firstSequence())) {
                while (!done.get()) {
                    long[] due = {reader.nextSequence()};
                    reader.poll(
                            (memory, offset, length) -> {
                                assertThat(JournalRecord.sequence(memory, offset))
                                        .isEqualTo(due[0]);
                                assertThat(Records.payload(memory, offset, length))
                                        .isEqualTo(text(due[0]++));
                            },
                            50);
                    steps.incrementAndGet();
                }
            } catch (JournalException e) {
                assertThat(e)
                        .isExactlyInstanceOf(JournalException.class)
                        .message()
                        .containsAnyOf("was trimmed", "no longer in the journal");
            }
        });
    }

    /** A tailer that is being registered finds what it begins with. */
    @Test
    void mayRegisterTailersWhileTheOwnerTrims() throws Exception {
        besideAnOwner(journal -> {
            String name = "tailer-" + Thread.currentThread().threadId();
            try (Tailer tailer = journal.tailer(name)) {
                long[] due = {tailer.committedSequence() + 1};
                tailer.poll(
                        (memory, offset, length) -> assertThat(Records.payload(memory, offset, length))
                                .isEqualTo(text(due[0]++)),
                        50);
                tailer.commit();
                steps.incrementAndGet();
            }
            journal.removeTailer(name);
            long first = journal.firstSequence();
            while (journal.firstSequence() == first && !done.get()) {
                Thread.onSpinWait();
            }
        });
    }

    private void besideAnOwner(Reading reading) throws Exception {
        JournalConfig config =
                JournalConfig.at(Durability.PROCESS).withSegmentBytes(16 << 10).withSpareSegments(2);
        try (Journal journal = Journal.open(folder, config)) {
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                threads.add(Thread.ofPlatform().start(() -> repeat(reading, journal)));
            }
            long begin = System.nanoTime();
            while (failures.isEmpty()
                    && (System.nanoTime() - begin < NANOS || steps.get() < 20 || journal.firstSequence() == 1)) {
                Records.appendAndCommit(journal, text(journal.nextSequence()));
                journal.trim(journal.nextSequence() - KEPT);
            }
            done.set(true);
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(failures).isEmpty();
            assertThat(journal.firstSequence()).isGreaterThan(1);
        }
    }

    private void repeat(Reading reading, Journal journal) {
        try {
            while (!done.get()) {
                reading.read(journal);
            }
        } catch (Throwable e) {
            failures.add(e);
        }
    }

    private static String text(long sequence) {
        return "record " + sequence + " " + "x".repeat(100);
    }

    private interface Reading {
        void read(Journal journal) throws Exception;
    }
}
